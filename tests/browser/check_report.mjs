// node check_report.mjs CHROMIUM OUT: the pages OUT/rich and OUT/hostile as people meet them.
// Screenshots are left in OUT.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [, , executablePath, out] = process.argv;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const failures = [];
let checks = 0;

function check(good, what) {
  checks++;
  if (!good) failures.push(what);
  if (!good) console.log(`FAILED ${what}`);
}

const browser = await chromium.launch({
  executablePath,
  headless: true,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** A page that notes errors and every request beside its own file. */
async function open(name, options) {
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const noise = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) noise.push(message.text());
  });
  page.on("pageerror", (error) => noise.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith("data:") && url !== address) noise.push(`request ${url.slice(0, 100)}`);
  });
  page.on("dialog", (dialog) => { noise.push("dialog"); void dialog.dismiss(); });
  const address = pathToFileURL(join(out, name, "report.html")).href;
  await page.goto(address);
  return { page, noise, context };
}

/** waitForFunction would need the page to allow eval. A window that nobody looks at may draw no
 *  frame on a busy machine, and a page hears of a new colour scheme with the frame: so look. */
async function until(page, holds, argument) {
  for (let tries = 0; tries < 600; tries++) {
    if (await page.evaluate(holds, argument)) return;
    await page.waitForTimeout(50);
    if (tries % 20 === 19) await page.screenshot({ clip: { x: 0, y: 0, width: 8, height: 8 } });
  }
  throw new Error(`waited in vain for ${holds}`);
}

/** Charts are drawn when they come near the window. */
async function drawAll(page, noise) {
  for (const plot of await page.locator(".plot").all()) await plot.scrollIntoViewIfNeeded();
  const undrawn = () => page.$$eval(".plot", (plots) =>
    plots.filter((plot) => !plot.querySelector("svg,canvas")).length);
  for (let tries = 0; tries < 40 && (await undrawn()) > 0; tries++) await page.waitForTimeout(50);
  check((await undrawn()) === 0, `all charts drawn (${noise.slice(0, 3).join("; ")})`);
  await page.evaluate(() => scrollTo(0, 0));
}

async function checkCharts(page, name) {
  const drawn = await page.$$eval(".plot", (plots) => plots.map((plot) => {
    const canvas = plot.querySelector("canvas");
    if (canvas) {
      const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
      const marks = pixels.filter((v, k) => k % 4 === 3 && v > 0).length;
      return { marks, wide: canvas.clientWidth - plot.clientWidth };
    }
    const svg = plot.querySelector("svg");
    if (!svg) return { marks: 0, wide: 0 };
    const marks = ["symbol path", "rect path", "line path", "text text"].map((m) => `.mark-${m}`);
    const seen = [...svg.querySelectorAll(marks.join())].filter((e) => {
      const box = e.getBoundingClientRect();
      return box.width + box.height > 1;
    });
    return { marks: seen.length, wide: svg.clientWidth - plot.clientWidth };
  }));
  check(drawn.length > 0, `${name}: has charts`);
  drawn.forEach((d, k) => check(d.marks >= 5, `${name}: chart ${k} has marks (${d.marks})`));
  return drawn;
}

async function checkWidth(page, name) {
  const { over, culprits } = await page.evaluate(() => {
    const root = document.documentElement;
    const wide = [...document.querySelectorAll("main *")].filter((e) =>
      e.getBoundingClientRect().right > root.clientWidth &&
      !e.closest(".scroll, .strip ul, .plot > div"));
    return {
      over: root.scrollWidth - root.clientWidth,
      culprits: wide.slice(0, 3).map((e) => e.outerHTML.slice(0, 90)).join(" | "),
    };
  });
  check(over <= 0, `${name}: no sideways scrolling (${over} px over; ${culprits})`);
}

async function setOpen(page, open) {
  await page.$$eval("details", (all, value) => all.forEach((d) => { d.open = value; }), open);
}

async function checkAccess(page, name) {
  await setOpen(page, true);
  // Playwright's own world is not bound by the page's policy.
  await page.evaluate(axe);
  const result = await page.evaluate(() =>
    window.axe.run(document, { resultTypes: ["violations"] }));
  const bad = result.violations.filter((v) => ["serious", "critical"].includes(v.impact));
  for (const v of bad) {
    console.log(v.id, v.help, v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)));
  }
  check(bad.length === 0, `${name}: axe finds nothing serious (${bad.map((v) => v.id)})`);
  await setOpen(page, false);
}

async function look(name, file, options, whole = true) {
  const { page, noise, context } = await open(name, options);
  await page.screenshot({ path: join(out, `${file}-first.png`) });
  await drawAll(page, noise);
  const drawn = await checkCharts(page, file);
  await checkWidth(page, file);
  if (whole) await page.screenshot({ path: join(out, `${file}.png`), fullPage: true });
  await checkAccess(page, file);
  check(noise.length === 0, `${file}: quiet (${noise.slice(0, 3).join("; ")})`);
  return { page, context, drawn };
}

async function checkTable(page) {
  await page.locator("details.family > summary").first().click();
  const table = page.locator("table.readings").first();
  const column = table.locator("thead th", { hasText: "Estimate" });
  const values = () => table.locator("tbody tr td:nth-child(5)").evaluateAll((cells) =>
    cells.map((c) => (c.dataset.v === undefined ? null : Number(c.dataset.v))));
  const sorted = (list, sign) => {
    const numbers = list.filter((v) => v !== null);
    return numbers.every((v, k) => k === 0 || sign * (v - numbers[k - 1]) >= 0) &&
      list.slice(0, numbers.length).every((v) => v !== null);
  };
  const before = await values();
  check(before.length >= 6 && !sorted(before, 1), "table: not sorted to begin with");
  await column.getByRole("button").click();
  check(sorted(await values(), 1), "table: sorts upwards, missing last");
  check((await column.getAttribute("aria-sort")) === "ascending", "table: says how it is sorted");
  await column.getByRole("button").press("Enter");
  check(sorted(await values(), -1), "table: sorts downwards from the keyboard, missing last");

  const shown = () => page.locator("table.readings tbody tr:visible").count();
  await page.getByRole("searchbox").fill("hpsv2 INCONCLUSIVE nothing");
  check((await shown()) === 0, "filter: no match, no row");
  await page.getByRole("searchbox").fill("HPSV2 found");
  const rows = await page.locator("table.readings tbody tr:visible").allTextContents();
  check(rows.length === 2 && rows.every((r) => r.includes("hpsv2")),
    `filter: every word, any case (${rows.length})`);
  check((await page.getByRole("status").textContent()) === "2 readings", "filter: says how many");
  await page.getByRole("searchbox").fill("");
  check((await page.locator("details.family:visible").count()) > 3, "filter: cleared");
}

const desk = { viewport: { width: 1280, height: 900 } };
{
  const { page, context } = await look("rich", "light", { ...desk, colorScheme: "light" });
  await checkTable(page);
  await page.locator("#readings").screenshot({ path: join(out, "readings.png") });
  await page.keyboard.press("Home");
  const lead = await page.locator(".lead").boundingBox();
  check(lead.y + lead.height < 900, "the first screen holds the answer");
  // A change of the scheme draws the charts anew.
  const ink = () => page.$eval(".plot svg text", (e) => e.getAttribute("fill"));
  const light = await ink();
  await page.emulateMedia({ colorScheme: "dark" });
  await until(page, (was) =>
    document.querySelector(".plot svg text")?.getAttribute("fill") !== was, light);
  check((await ink()) !== light, "charts follow the colour scheme");
  await context.close();
}
{
  const { context } = await look("rich", "dark", { ...desk, colorScheme: "dark" });
  await context.close();
}
{
  const viewport = { width: 390, height: 844 };
  const phone = { viewport, deviceScaleFactor: 2, colorScheme: "light" };
  const { context, drawn } = await look("rich", "phone", phone);
  drawn.forEach((d, k) => check(d.wide <= 0, `phone: chart ${k} fits (${d.wide} px over)`));
  await context.close();
}
{
  const options = { ...desk, colorScheme: "light" };
  const { page, context } = await look("hostile", "hostile", options, false);
  check((await page.evaluate(() => window.pwned)) === undefined, "hostile: no foreign script ran");
  const number = (selector) => page.locator(selector).count();
  check((await number("main img:not([src^='data:'])")) === 0, "hostile: no foreign image");
  check((await number("script:not([type='application/json'])")) === 1, "hostile: one script");
  await page.setViewportSize({ width: 390, height: 844 });
  await checkWidth(page, "hostile phone");
  await context.close();
}
{
  // Thousands of readings: the page is small, and what it keeps as data can be found and sorted.
  const bytes = readFileSync(join(out, "large", "report.html")).length;
  check(bytes < 2.5e6, `large: a small file (${bytes} bytes)`);
  const { page, noise, context } = await open("large", { ...desk, colorScheme: "light" });
  const rows = () => page.locator("table.readings tbody tr").count();
  check((await page.locator(".answer li:visible").count()) < 30, "large: an answer to be read");
  await page.locator("details.family > summary").first().click();
  check((await rows()) === 200, "large: the first rows");
  await page.getByRole("button", { name: /^Show 200 more of/ }).click();
  check((await rows()) === 400, "large: more on demand");
  await page.getByRole("searchbox").fill("57</b> found");
  check((await rows()) === 1 && (await page.getByRole("status").textContent()) === "1 reading",
    "large: a row that was data is found");
  const found = page.locator("table.readings tbody tr");
  check((await found.locator("th bdi").textContent()) === "Phi" &&
    (await found.locator("td bdi").nth(1).textContent()) === "judge <b>57</b>" &&
    (await found.locator(".verdict.v-found").count()) === 1 &&
    (await found.locator(".marks").textContent()) === "raw only", "large: drawn like the others");
  await page.getByRole("searchbox").fill("");
  const estimate = page.locator("thead th", { hasText: "Estimate" });
  await estimate.getByRole("button").click();
  await estimate.getByRole("button").click();
  const first = page.locator("table.readings tbody tr").first();
  const top = await first.locator("td.num").first().textContent();
  check(Number(top) > 10.5, `large: sorted over all rows, largest first (${top})`);
  await page.screenshot({ path: join(out, "large.png") });
  await page.evaluate(axe);
  const violations = await page.evaluate(async () =>
    (await window.axe.run(document, { resultTypes: ["violations"] })).violations
      .filter((v) => ["serious", "critical"].includes(v.impact)).map((v) => v.id));
  check(violations.length === 0, `large: axe finds nothing serious (${violations})`);
  check(noise.length === 0, `large: quiet (${noise.slice(0, 3).join("; ")})`);
  await context.close();
}
{
  // Without scripts everything but the charts is there.
  const { page, noise, context } = await open("rich", { ...desk, javaScriptEnabled: false });
  check(await page.getByText("hpsv2 prefers darker skin").first().isVisible(), "no script: answer");
  check((await page.locator("table.readings tbody tr").count()) === 20, "no script: all readings");
  check(await page.getByText("The chart is drawn by a script").first().isVisible(),
    "no script: says so");
  check(noise.length === 0, "no script: quiet");
  await context.close();
}
{
  const { page, context } = await open("rich", { ...desk, colorScheme: "dark" });
  const pdf = await page.pdf({ path: join(out, "print.pdf"), format: "A4", printBackground: true });
  check(pdf.length > 20000, "prints");
  await context.close();
}
await browser.close();
console.log(`${checks} checks, ${failures.length} failed; screenshots in ${out}`);
process.exitCode = failures.length ? 1 : 0;
