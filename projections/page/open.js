"use strict";
// Opens the game that is in the file.

/** The page, as soon as it is there. */
const opened = unpack($("tape").textContent ?? "").then((content) => new Page(new Tape(content))).catch((error) => {
  $("trouble").hidden = false;
  $("trouble").textContent = typeof DecompressionStream === "undefined"
    ? "This browser is too old for this page: it needs one of 2023 or later."
    : `The game in this file cannot be read: it is damaged. (${error})`;
  throw error;
});
