// nsfw_probabilities.mjs FOLDER < FILES > TABLE: what nsfwjs itself says of images. FOLDER has the
// packages; a line of FILES is "NAME\tWIDTH\tHEIGHT\tPATH", PATH bytes of RGB. For
// nsfw_probabilities.py, which says which packages and why this back end.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const need = createRequire(process.argv[2] + "/");
const tf = need("@tensorflow/tfjs");
const nsfw = need("nsfwjs");

await tf.setBackend("cpu");
console.info = () => {};
const model = await nsfw.load("MobileNetV2");
const classes = ["Drawing", "Hentai", "Neutral", "Porn", "Sexy"];
for (const line of readFileSync(0, "utf8").trim().split("\n")) {
    const [name, width, height, path] = line.split("\t");
    const pixels = tf.tensor3d(new Uint8Array(readFileSync(path)), [+height, +width, 3], "int32");
    const found = new Map(
        (await model.classify(pixels, 5)).map((x) => [x.className, x.probability]),
    );
    pixels.dispose();
    const numbers = classes.map((c) => found.get(c).toPrecision(9));
    process.stdout.write([name, width, height, ...numbers].join("\t") + "\n");
}
