// The game of Pig of tests/rulesets/pig.py on boardgame.io, played at random; prints decisions and CPU seconds.
process.env.NODE_ENV = 'production';
const { Client } = require('boardgame.io/client');

const Pig = {
  setup: () => ({ scores: [0, 0], total: 0 }),
  moves: {
    roll: ({ G, random, events }) => {
      const value = random.D6();
      if (value > 1) {
        G.total += value;
      } else {
        G.total = 0;
        events.endTurn();
      }
    },
    hold: ({ G, ctx, events }) => {
      G.scores[ctx.currentPlayer] += G.total;
      G.total = 0;
      events.endTurn();
    },
  },
  endIf: ({ G }) => {
    const winner = G.scores.findIndex((score) => score >= 100);
    return winner < 0 ? undefined : { winner };
  },
  ai: { enumerate: (G) => (G.total ? [{ move: 'roll' }, { move: 'hold' }] : [{ move: 'roll' }]) },
};

function play(wanted) {
  let decisions = 0;
  while (decisions < wanted) {
    const client = Client({ game: Pig, numPlayers: 2, debug: false });
    client.start();
    let state = client.getState();
    while (!state.ctx.gameover) {
      const legal = Pig.ai.enumerate(state.G, state.ctx);
      client.moves[legal[Math.floor(Math.random() * legal.length)].move]();
      state = client.getState();
      decisions += 1;
    }
    client.stop();
  }
  return decisions;
}

play(2000); // compiled before it is measured
const before = process.cpuUsage();
const decisions = play(Number(process.argv[2]));
const used = process.cpuUsage(before);
console.log(JSON.stringify({ decisions, seconds: (used.user + used.system) / 1e6 }));
