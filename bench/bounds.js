#!/usr/bin/env node
// How often tests by sentences find that precision is above a target, and how often they are wrong: see README.md here.
//
//   bench/bounds.js [RUNS]
//
// Sentences keep a random number of entities, whose errors go together: in one sentence of five each entity is wrong
// six times as often as elsewhere. A quarter as many sentences again are there to plan by.
"use strict";

const RUNS = Number(process.argv[2] || 1000), P = 0.95, LEVEL = 0.1, CAP = 10;

let state = 1;
function uniform() // mulberry32
{
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

// Sentences of precision q: [kept, wrong].
function draw(n, q)
{
    const rows = [], sure = (1 - q) / (0.8 + 0.2 * 6);
    for (let i = 0; i < n; i++) {
        let kept = 0, wrong = 0;
        const rate = uniform() < 0.2 ? 6 * sure : sure;
        while (kept < CAP && uniform() < 0.6)
            kept++;
        for (let k = 0; k < kept; k++)
            wrong += uniform() < rate;
        rows.push([kept, wrong]);
    }
    return rows;
}

const gain = ([kept, wrong], cap) => Math.max(kept - wrong - P * kept, -P * cap);

// Betting, as src/measure/intervals.c does it; at most two errors more than in the sentences to plan by count.
function betting(plan, rows, cap = 2 + Math.max(...plan.map(([, wrong]) => wrong)))
{
    let sum = -P, squares = P * P, wealth = 0;
    for (const row of plan) {
        const z = gain(row, cap);
        sum += z;
        squares += z * z;
    }
    for (const row of rows) {
        const z = gain(row, cap), share = Math.max(0, Math.min(sum / squares, 0.75 / (P * cap)));
        wealth += Math.log1p(share * z);
        if (wealth >= -Math.log(LEVEL))
            return true;
        sum += z;
        squares += z * z;
    }
    return false;
}

// The same with a cap that is fixed in advance.
const bettingByTen = (plan, rows) => betting(plan, rows, CAP);

// log P(Bin(n, p) >= k), summed up.
function tail(n, k, p)
{
    let term = 0, sum = 0;
    for (let i = 1; i <= n; i++)
        term += i <= k ? Math.log((n - k + i) / i) : 0;
    let logTerm = term + k * Math.log(p) + (n - k) * Math.log1p(-p), most = logTerm, terms = [];
    for (let i = k; i <= n; i++) {
        terms.push(logTerm);
        most = Math.max(most, logTerm);
        logTerm += Math.log((n - i) / (i + 1)) + Math.log(p) - Math.log1p(-p);
    }
    for (const t of terms)
        sum += Math.exp(t - most);
    return most + Math.log(sum);
}

// Hoeffding and Bentkus: the mean of gains, scaled to 0 .. 1, of at most CAP entities a sentence.
function hoeffdingBentkus(plan, rows)
{
    const n = rows.length;
    let sum = 0;
    for (const row of rows)
        sum += (gain(row, CAP) + P * CAP) / CAP;
    const mean = sum / n;
    if (mean <= P)
        return false;
    const divergence = mean * Math.log(mean / P) + (1 - mean) * Math.log((1 - mean) / (1 - P));
    return Math.min(-n * divergence, 1 + tail(n, Math.floor(sum), P)) <= Math.log(LEVEL);
}

// One entity of each sentence, by lot, and an exact binomial tail: about a sentence's entities, not about all.
function oneEach(plan, rows)
{
    let n = 0, right = 0;
    for (const [kept, wrong] of rows)
        if (kept > 0) {
            n++;
            right += uniform() * kept >= wrong;
        }
    return right / n > P && tail(n, right, P) <= Math.log(LEVEL);
}

const methods = {
    betting,
    "betting, cap 10": bettingByTen,
    "Hoeffding-Bentkus": hoeffdingBentkus,
    "one entity a sentence": oneEach,
};
console.log("| sentences | true precision | " + Object.keys(methods).join(" | ") + " |");
console.log("|---|---|" + Object.keys(methods).map(() => "---|").join(""));
for (const n of [400, 1500, 4000])
    for (const q of [0.95, 0.955, 0.96, 0.965, 0.97, 0.98]) {
        const found = Object.keys(methods).map(() => 0);
        for (let run = 0; run < RUNS; run++) {
            const plan = draw(n / 4, q), rows = draw(n, q);
            Object.values(methods).forEach((test, i) => { found[i] += test(plan, rows); });
        }
        console.log(`| ${n} | ${q} | ` + found.map((f) => (f / RUNS).toFixed(3)).join(" | ") + " |");
    }
