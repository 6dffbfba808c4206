import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'undici';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { dataSet, sizes } from './data-set.js';
import type { Size } from './load.js';
import { type Question, questions } from './questions.js';
import type { Listening } from './server.js';

/** Requests per question and size, and how many of them are warm-up. */
const requests = Number(process.env['BENCH_REQUESTS'] ?? 2000);
const warmUp = 300;
/**
 * Requests to one side before the other's turn, so that disturbances of the machine affect both.
 */
const block = 50;

/**
 * The milliseconds of each request to one side, and the server's processor time for all of them.
 */
interface Side {
  readonly times: number[];
  processor: number;
}

/** The measurements of one question at one size. */
interface Measured {
  readonly ours: Side;
  readonly bare: Side | undefined;
}

/** A server process on a data set. */
class Served {
  private constructor(
    private readonly child: ChildProcess,
    private readonly service: Client,
    private readonly bare: Client,
    private readonly size: Size,
  ) {}

  static async start(size: Size): Promise<Served> {
    const child = fork(join(__dirname, 'server.js'), [await dataSet(size), JSON.stringify(size)], {
      execArgv: process.env['BENCH_PROFILE']
        ? ['--cpu-prof', '--cpu-prof-dir', process.env['BENCH_PROFILE']]
        : [],
    });
    const [{ service, bare }] = (await once(child, 'message')) as [Listening];
    const to = (port: number): Client => new Client(`http://127.0.0.1:${port}`);
    return new Served(child, to(service), to(bare), size);
  }

  async measure(question: Question): Promise<Measured> {
    const at = questions.indexOf(question);
    const ours: Side = { times: [], processor: 0 };
    const bare: Side | undefined = question.sql && { times: [], processor: 0 };
    let [slowest, count] = [0, requests];
    for (let index = 0; index < warmUp && slowest < 2000; index++) {
      slowest += await this.#ask(question, index);
      if (bare) await this.#askBare(question, at, index);
    }
    // A question whose time grows is not repeated for minutes
    if (slowest >= 2000) count = Math.min(count, block);
    for (let from = 0; from < count; from += block) {
      const sides = [
        () => this.#during(ours, (index) => this.#ask(question, from + index)),
        async () =>
          bare && this.#during(bare, (index) => this.#askBare(question, at, from + index)),
      ];
      // the first request makes the database read what the other side then finds in memory
      for (const side of (from / block) % 2 === 0 ? sides : sides.reverse()) await side();
    }
    return { ours, bare };
  }

  async stop(): Promise<void> {
    await Promise.all([this.service.close(), this.bare.close()]);
    const exit = once(this.child, 'exit');
    this.child.send('end');
    await exit;
  }

  async #during(side: Side, ask: (index: number) => Promise<number>): Promise<void> {
    const before = await this.#processor();
    for (let index = 0; index < block; index++) side.times.push(await ask(index));
    side.processor += (await this.#processor()) - before;
  }

  async #ask(question: Question, index: number): Promise<number> {
    const { method, url, payload, eventual } = question.request(index, this.size);
    return this.#time(this.service, method, url, payload, eventual);
  }

  #askBare(question: Question, at: number, index: number): Promise<number> {
    const { method, payload } = question.request(index, this.size);
    return this.#time(this.bare, method, `/${at}/${index}`, payload);
  }

  async #time(
    client: Client,
    method: 'GET' | 'POST',
    path: string,
    payload?: string,
    eventual?: true,
  ): Promise<number> {
    const headers = {
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...(eventual && { consistencylevel: 'eventual' }),
    };
    const start = performance.now();
    const answer = await client.request({
      method,
      path,
      headers,
      ...omitUndefined({ body: payload }),
    });
    const text = await answer.body.text();
    const duration = performance.now() - start;
    if (answer.statusCode !== 200)
      throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return duration;
  }

  async #processor(): Promise<number> {
    const answer = once(this.child, 'message');
    this.child.send('cpu');
    const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
    return (user + system) / 1000;
  }
}

/** The given percentile of the measurements, in milliseconds. */
function quantile(times: readonly number[], share: number): number {
  return (
    [...times].sort((a, b) => a - b)[
      Math.min(times.length - 1, Math.floor(times.length * share))
    ] ?? 0
  );
}

/**
 * `load` only creates the data sets; `budget` and `others` select questions, any other argument
 * those whose name contains it.
 */
async function main(part: string | undefined): Promise<void> {
  if (part === 'load') return void (await Promise.all(Object.values(sizes).map(dataSet)));
  const selection = questions.filter(
    ({ name, sql }) =>
      part === undefined || part === (sql ? 'budget' : 'others') || name.includes(part),
  );
  const servers = [await Served.start(sizes.hundredth), await Served.start(sizes.whole)] as const;
  const rounded = (value: number): number => Math.round(value * 100) / 100;
  const rows: Record<string, Record<string, number | string>> = {};
  for (const question of selection) {
    const [small, whole] = [await servers[0].measure(question), await servers[1].measure(question)];
    const row: Record<string, number | string> = {};
    const ratio = ({ ours, bare }: Measured, of: (side: Side) => number): number | string =>
      bare ? rounded(of(ours) / of(bare)) : '';
    for (const [size, measured] of Object.entries({ '1/100': small, whole })) {
      row[`${size} p50 ms`] = rounded(quantile(measured.ours.times, 0.5));
      row[`${size} p99 ms`] = rounded(quantile(measured.ours.times, 0.99));
      row[`${size} p50 ratio`] = ratio(measured, ({ times }) => quantile(times, 0.5));
      row[`${size} p99 ratio`] = ratio(measured, ({ times }) => quantile(times, 0.99));
      row[`${size} cpu ratio`] = ratio(measured, ({ processor }) => processor);
    }
    row['growth p50'] = rounded(quantile(whole.ours.times, 0.5) / quantile(small.ours.times, 0.5));
    row['growth p99'] = rounded(
      quantile(whole.ours.times, 0.99) / quantile(small.ours.times, 0.99),
    );
    rows[question.name] = row;
    process.stdout.write(`${JSON.stringify({ question: question.name, ...row })}\n`);
    if (Number(row['whole p99 ratio']) > 3 || Number(row['1/100 p99 ratio']) > 3)
      process.exitCode = 1;
  }
  for (const server of servers) await server.stop();
  console.table(rows);
}

void main(process.argv[2]);
