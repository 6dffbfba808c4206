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
const requestCount = Number(process.env['BENCH_REQUESTS'] ?? 2000);
const warmUpCount = 300;
/** The warm-up ends after requests of this time in sum; the question then gets one block only. */
const maxWarmUpMs = 2_000;
/**
 * Requests to one side before the other's turn, so that disturbances of the machine affect both.
 */
const blockSize = 50;

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
class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly service: Client,
    private readonly bare: Client,
    private readonly size: Size,
  ) {}

  static async start(size: Size): Promise<ServerProcess> {
    const child = fork(join(__dirname, 'server.js'), [await dataSet(size), JSON.stringify(size)], {
      execArgv: process.env['BENCH_PROFILE']
        ? ['--cpu-prof', '--cpu-prof-dir', process.env['BENCH_PROFILE']]
        : [],
    });
    const [{ service, bare }] = (await once(child, 'message')) as [Listening];
    const clientOf = (port: number): Client => new Client(`http://127.0.0.1:${port}`);
    return new ServerProcess(child, clientOf(service), clientOf(bare), size);
  }

  async measure(question: Question): Promise<Measured> {
    const at = questions.indexOf(question);
    const ours: Side = { times: [], processor: 0 };
    const bare: Side | undefined = question.sql && { times: [], processor: 0 };
    let warmUpMs = 0;
    for (let index = 0; index < warmUpCount && warmUpMs < maxWarmUpMs; index++) {
      warmUpMs += await this.#request(question, index);
      if (bare) await this.#requestBare(question, at, index);
    }
    // a slow question is not repeated for minutes
    const count = warmUpMs < maxWarmUpMs ? requestCount : Math.min(requestCount, blockSize);
    for (let from = 0; from < count; from += blockSize) {
      const sides = [
        () => this.#measureBlock(ours, (index) => this.#request(question, from + index)),
        async () =>
          bare &&
          this.#measureBlock(bare, (index) => this.#requestBare(question, at, from + index)),
      ];
      // the sides alternate: the first one has the database read what the other finds in its cache
      for (const side of (from / blockSize) % 2 === 0 ? sides : sides.reverse()) await side();
    }
    return { ours, bare };
  }

  async stop(): Promise<void> {
    await Promise.all([this.service.close(), this.bare.close()]);
    const exit = once(this.child, 'exit');
    this.child.send('end');
    await exit;
  }

  /** Adds the times of a block of requests to a side. */
  async #measureBlock(side: Side, send: (index: number) => Promise<number>): Promise<void> {
    const before = await this.#processorMs();
    for (let index = 0; index < blockSize; index++) side.times.push(await send(index));
    side.processor += (await this.#processorMs()) - before;
  }

  /** The milliseconds of a request to the service. */
  async #request(question: Question, index: number): Promise<number> {
    const { method, url, payload, eventual } = question.request(index, this.size);
    return this.#timedRequest(this.service, method, url, payload, eventual);
  }

  /** The milliseconds of a request to the bare SQL. */
  #requestBare(question: Question, at: number, index: number): Promise<number> {
    const { method, payload } = question.request(index, this.size);
    return this.#timedRequest(this.bare, method, `/${at}/${index}`, payload);
  }

  async #timedRequest(
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

  /** The processor time of the server process so far. */
  async #processorMs(): Promise<number> {
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
  const servers = [
    await ServerProcess.start(sizes.hundredth),
    await ServerProcess.start(sizes.whole),
  ] as const;
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
