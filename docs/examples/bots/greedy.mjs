#!/usr/bin/env node
// A bot for any game of warptape: it would rather fight than walk, and rather walk than wait. Nothing but Node.js.
import { createInterface } from "node:readline";

const FIERCE = new Set("at fight shoot fire hit melta hellfire template det sp storm".split(" "));
const IDLE = new Set("end pass done skip stay next rest keep hold".split(" "));

// How much the bot would like to do that, by the verb of its notation.
function weight(choice) {
  const verb = choice.notation.split(" ", 1)[0];
  return FIERCE.has(verb) ? 20 : IDLE.has(verb) ? 1 : 4;
}

// Numbers from 0 to 1 that follow from a text: the same game again gets the same answers.
function dice(text) {
  let state = parseInt(text.slice(0, 8), 16);
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function pick(choices, random) {
  let left = random() * choices.reduce((sum, choice) => sum + weight(choice), 0);
  return choices.find((choice) => (left -= weight(choice)) < 0) ?? choices.at(-1);
}

let random = Math.random;
let actions = [];
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") random = dice(message.luck);
  if (message.type === "ask") actions = message.actions;
  if (message.type === "ask" || message.type === "refused") {
    const choice = pick(actions, random);
    actions = actions.filter((other) => other !== choice); // if it is refused, another one
    console.log(JSON.stringify({ id: message.id, index: choice.index }));
  }
}
