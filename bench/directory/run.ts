import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { Client } from 'undici';
import { systemClock } from '../../services/common/clock.js';
import { openDatabase } from '../../services/common/database.js';
import { noAuthentication } from '../../services/common/token-verifier.js';
import { createDirectoryService } from '../../services/directory/index.js';
import { load } from './load.js';
import { questions } from './questions.js';

const scale = Number(process.argv[2] ?? 1);
const asked = Number(process.argv[3] ?? 2000);
const size = { groups: Math.round(100_000 * scale), users: Math.round(1_000_000 * scale), memberships: Math.round(5_000_000 * scale) };

/** Milliseconds under which the given share of the measurements lies. */
function quantile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
}

/**
 * Loads the data set of the budget and asks each question twice over the same loopback connection: of the service, and of a bare route
 * that runs the same SQL by a prepared statement and sends the rows as JSON. What remains is the service's own cost.
 */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-bench-'));
  try {
    const database = await openDatabase(`sqlite:${join(folder, 'directory.db')}`);
    const service = await createDirectoryService({
      database,
      dialect: 'neutral',
      clock: systemClock,
      tokens: noAuthentication,
      throttle: false,
      longRunning: { mode: 'never', seed: '', seconds: 0 },
    });
    const started = performance.now();
    const data = load(database, size);
    const bytes = statSync(join(folder, 'directory.db')).size;
    console.log(
      JSON.stringify({ ...size, loadSeconds: Math.round((performance.now() - started) / 1000), megabytes: Math.round(bytes / 1e6) }),
    );
    const app = Fastify();
    for (const prefix of service.prefixes) await app.register(async (scope) => service.register(scope, prefix), { prefix });
    questions.forEach((question, at) => {
      const statement = database.sqlite?.prepare(question.sql);
      app.get(`/bare/${at}/:index`, (request) =>
        statement?.all(...question.parameters(Number((request.params as { index: string }).index), data)),
      );
    });
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const client = new Client(address);
    const time = async (method: 'GET' | 'POST', path: string, payload?: string): Promise<number> => {
      const begun = performance.now();
      const headers = payload === undefined ? {} : { 'content-type': 'application/json' };
      const answer = await client.request({ method, path, headers, ...(payload !== undefined && { body: payload }) });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
      return performance.now() - begun;
    };
    let failed = false;
    for (const [at, question] of questions.entries()) {
      const [ours, bare]: [number[], number[]] = [[], []];
      for (let index = 0; index < asked + 200; index++) {
        const { method, url, payload } = question.request(index, data);
        const pair = [await time(method, url, payload), await time('GET', `/bare/${at}/${index}`)] as const;
        if (index < 200) continue; // the first ones warm up
        ours.push(pair[0]);
        bare.push(pair[1]);
      }
      const ratio = quantile(ours, 0.99) / quantile(bare, 0.99);
      failed ||= ratio > 2;
      const rounded = (times: readonly number[], share: number): number => Math.round(quantile(times, share) * 1000) / 1000;
      console.log(
        JSON.stringify({
          question: question.name,
          p50: rounded(ours, 0.5),
          p99: rounded(ours, 0.99),
          bareP50: rounded(bare, 0.5),
          bareP99: rounded(bare, 0.99),
          ratio: Math.round(ratio * 100) / 100,
        }),
      );
    }
    await client.close();
    await app.close();
    await service.close();
    await database.close();
    process.exitCode = failed ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
