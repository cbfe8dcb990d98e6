# The published scorers as back ends.
tare_test(test_published_words scorer)
