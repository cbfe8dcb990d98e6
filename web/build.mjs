// node build.mjs OUT: OUT/report.js (one script, no module, licences of what it holds in its first
// comment), OUT/report.css and OUT/NOTICE. `--notice` writes the NOTICE of the source tree as well.
import { build } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../build/web");
mkdirSync(out, { recursive: true });

const common = {
  bundle: true, minify: true, logLevel: "warning", absWorkingDir: here, legalComments: "none",
  target: ["es2020", "chrome87", "firefox78", "safari14"],
};

/** Names of the packages with at least one byte in the bundle. */
function packagesOf(metafile) {
  const names = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
      const found = file.match(/^node_modules\/((?:@[^/]+\/)?[^/]+)\//);
      if (found && bytesInOutput > 0) names.add(found[1]);
    }
  }
  return [...names].sort();
}

function licenceOf(name) {
  const folder = join(here, "node_modules", name);
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).sort().find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  const text = file ? readFileSync(join(folder, file), "utf8") : `Licence: ${about.license}`;
  const title = `${name} ${about.version} (${about.license})`;
  return { name: title, text: text.replace(/\r/g, "").trim() };
}

/** Packages with the same licence text share one copy of it. */
function noticeOf(names) {
  const byText = new Map();
  for (const { name, text } of names.map(licenceOf)) {
    byText.set(text, [...(byText.get(text) ?? []), name]);
  }
  const parts = [...byText].map(([text, owners]) => `${owners.join("\n")}\n\n${text}\n`);
  return parts.join(`\n${"-".repeat(72)}\n\n`);
}

const script = await build({
  ...common, entryPoints: ["src/report.ts"], format: "iife", write: false, metafile: true,
});
const notice = "The report page written by tare contains the following packages.\n\n" +
  noticeOf(packagesOf(script.metafile));
const code = script.outputFiles[0].text;
if (/<\/script|<!--/i.test(code + notice)) {
  throw new Error("the bundle would end its own script element");
}
writeFileSync(join(out, "report.js"), `/*\n${notice.replace(/\*\//g, "* /")}*/\n${code}`);
writeFileSync(join(out, "NOTICE"), notice);
if (process.argv.includes("--notice")) writeFileSync(join(here, "../NOTICE"), notice);

const style = await build({ ...common, entryPoints: ["src/report.css"], write: false });
writeFileSync(join(out, "report.css"), style.outputFiles[0].text);
