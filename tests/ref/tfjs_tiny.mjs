// tfjs_tiny.mjs FOLDER: write tests/data/tfjs_tiny/, a small model as TF.js itself saves layers
// models, and print what it makes of one image, for tests/unit/test_keras_layers.c. FOLDER is one
// in which `npm install @tensorflow/tfjs@4.22.0` was run.
//
// It has what nsfwjs's model lacks: padding "same" that is not symmetric, convolutions with a bias
// and an activation, a depth multiplier, dilation, a pool over a part of its window, a flatten of
// more than one pixel. Weights are ((7919 i + 31 k) mod 1000) / 1000 - 0.5, i the element and k the
// number of the weight; of norms' variances, that + 1.
// Pixel i is float32((7919 i) mod 1000) / 1000.
import { createRequire } from "node:module";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const tf = createRequire(process.argv[2] + "/")("@tensorflow/tfjs");
await tf.setBackend("cpu");
const out = join(dirname(fileURLToPath(import.meta.url)), "..", "data", "tfjs_tiny");

const side = 10;
const input = tf.input({ shape: [side, side, 3], name: "in" });
const apply = (layer, ...x) => layer.apply(x.length > 1 ? x : x[0]);
const L = tf.layers;
let x = apply(
    L.conv2d({ name: "c1", filters: 6, kernelSize: 3, strides: 2, padding: "same",
        activation: "relu6" }), input);
let y = apply(L.conv2d({ name: "c2", filters: 6, kernelSize: [1, 3], padding: "same",
    dilationRate: [1, 2], useBias: false }), x);
y = apply(L.batchNormalization({ name: "norm", epsilon: 0.01 }), y);
x = apply(L.add({ name: "sum" }), x, y);
x = apply(L.zeroPadding2d({ name: "pad", padding: [[1, 0], [0, 2]] }), x);
x = apply(L.depthwiseConv2d({ name: "dw", kernelSize: 2, strides: 2, padding: "same",
    depthMultiplier: 2 }), x);
x = apply(L.reLU({ name: "relu", maxValue: 0.75 }), x);
x = apply(L.averagePooling2d({ name: "pool", poolSize: [2, 3], strides: [1, 2], padding: "same" }),
    x);
const whole = apply(L.globalAveragePooling2d({ name: "mean" }), x);
x = apply(L.flatten({ name: "flat" }), x);
x = apply(L.dropout({ name: "drop", rate: 0.5 }), x);
x = apply(L.dense({ name: "d1", units: 12, activation: "sigmoid" }), x);
x = apply(L.add({ name: "both" }), x, whole);
x = apply(L.dense({ name: "d2", units: 4, useBias: false }), x);
x = apply(L.activation({ name: "out", activation: "softmax" }), x);
const model = tf.model({ inputs: input, outputs: x });

model.setWeights(model.weights.map((w, k) => {
    const n = w.shape.reduce((a, b) => a * b, 1);
    const plus = w.originalName.endsWith("variance") ? 0.5 : -0.5;
    const number = (_, i) => ((7919 * i + 31 * k) % 1000) / 1000 + plus;
    const v = Float32Array.from({ length: n }, number);
    return tf.tensor(v, w.shape);
}));
await model.save(tf.io.withSaveHandler(async (made) => {
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, "model.json"), JSON.stringify({
        format: "layers-model",
        generatedBy: made.generatedBy,
        modelTopology: made.modelTopology,
        weightsManifest: [{ paths: ["weights.bin"], weights: made.weightSpecs }],
    }));
    writeFileSync(join(out, "weights.bin"), Buffer.from(made.weightData));
    return { modelArtifactsInfo: { dateSaved: new Date(0), modelTopologyType: "JSON" } };
}));
const n = side * side * 3;
const pixels = tf.tensor(Float32Array.from({ length: n }, (_, i) => ((7919 * i) % 1000) / 1000),
    [1, side, side, 3]);
console.log(Array.from(model.predict(pixels).dataSync(), (v) => v.toPrecision(9)).join(", "));
