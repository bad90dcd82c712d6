import { render } from "preact";
import { afterEach, expect, it } from "vitest";

import { h } from "preact";

import { Attachments, picturesOf, sizeText } from "../../src/ui/attachments";

const TWO = [
  { name: "logo.png", size: 2048 },
  { name: "chart.png", size: 3 * 1024 * 1024 },
];

let root: HTMLElement;
let removed: string[] = [];
let stays = false;

function show(attachments = TWO, uploading: string[] = []): void {
  root = document.body.appendChild(document.createElement("div"));
  removed = [];
  stays = false;
  const onRemove = (name: string) => {
    removed.push(name);
    return Promise.resolve(!stays);
  };
  render(h(Attachments, { attachments, uploading, onRemove }), root);
}

afterEach(() => {
  render(null, root);
  root.remove();
});

it("shows nothing without pictures", () => {
  show([]);
  expect(root.innerHTML).toBe("");
});

it("shows each picture with its size and a button that says which one it removes", () => {
  show(TWO, ["photo.jpg"]);
  expect([...root.querySelectorAll("li")].map((chip) => chip.textContent)).toEqual([
    "logo.png2 KB",
    "chart.png3 MB",
    "Attaching photo.jpg…",
  ]);
  const [first, second] = root.querySelectorAll("button");
  expect(first?.getAttribute("aria-label")).toBe("Remove logo.png");
  second?.click();
  expect(removed).toEqual(["chart.png"]);
});

it("moves the focus to the neighbour of the one that goes", () => {
  show();
  const [first, second] = root.querySelectorAll("button");
  first?.focus();
  first?.click();
  expect(document.activeElement).toBe(second);
});

it("passes over the neighbour that is going too", async () => {
  show([...TWO, { name: "photo.png", size: 1 }]);
  const [first, second, third] = root.querySelectorAll("button");
  third?.click();
  second?.click();
  second?.click();
  expect(document.activeElement).toBe(first);
  first?.click();
  await new Promise((resolve) => setTimeout(resolve));
  expect(removed).toEqual(["photo.png", "chart.png", "logo.png"]);
});

it("lets a picture be removed again after that failed", async () => {
  show();
  stays = true;
  const [first] = root.querySelectorAll("button");
  first?.click();
  await new Promise((resolve) => setTimeout(resolve));
  first?.click();
  expect(removed).toEqual(["logo.png", "logo.png"]);
});

it("reads sizes as people do", () => {
  expect([1, 1500, 1_500_000].map(sizeText)).toEqual(["1 KB", "1 KB", "1.4 MB"]);
});

it("takes the pictures out of what was dropped and leaves the rest", () => {
  const transfer = new DataTransfer();
  transfer.items.add(new File(["x"], "a.docx", { type: "application/zip" }));
  transfer.items.add(new File(["x"], "b.png", { type: "image/png" }));
  expect(picturesOf(transfer).map((file) => file.name)).toEqual(["b.png"]);
  expect(picturesOf(null)).toEqual([]);
});
