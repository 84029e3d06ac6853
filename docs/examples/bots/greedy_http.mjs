#!/usr/bin/env node
// The bot of greedy.mjs on a server: `greedy_http.mjs https://HOST GAME`, its token in WARPTAPE_TOKEN. Nothing but Node.js.
const [, , server, game] = process.argv;

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

const sleep = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

// What the server says next; null while the seat is not asked, or where the server does not answer.
async function ask(path, answer) {
  const headers = { Authorization: `Bearer ${process.env.WARPTAPE_TOKEN}`, "Content-Type": "application/json" };
  const how = answer ? { method: "POST", body: JSON.stringify(answer), headers } : { headers };
  let found;
  try {
    found = await fetch(`${server}/v1/games/${game}/turn${path}`, how);
    if (found.ok) return JSON.parse((await found.text()) || "null");
  } catch {
    await sleep(1); // no line: what was answered last may have been taken or not, the next question shows it
    return null;
  }
  // 409: the question is not open any more
  if (![409, 429, 503].includes(found.status)) throw new Error(await found.text());
  await sleep(Number(found.headers.get("Retry-After") ?? 0));
  return null;
}

let hello = null;
while (!hello) hello = await ask("/hello");
const random = dice(hello.luck);
let since = 0;
let actions = [];
let message = null;
for (;;) {
  message ??= await ask(`?wait=25&since=${since}`);
  if (!message) continue;
  if (message.type === "over") break;
  if (message.type === "ask") [actions, since] = [message.actions, message.id];
  const choice = pick(actions, random);
  actions = actions.filter((other) => other !== choice); // if it is refused, another one
  message = await ask("?wait=25", { id: message.id, index: choice.index });
}
