import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from 'undici';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { prepareDataSet, sizes } from './data-set.js';
import type { Size } from './load.js';
import { type BenchmarkQuery, benchmarkQueries } from './queries.js';
import type { ServerPorts } from './server.js';

/** Requests per query and size, after those of the warm-up. */
const requestCount = Number(process.env['BENCH_REQUESTS'] ?? 2000);
const warmUpCount = 300;
/** The warm-up ends when its requests took this time in sum; the query then gets one block only. */
const maxWarmUpMs = 2_000;
/**
 * Requests to the service before as many to the bare SQL, so that disturbances of the machine affect
 * both.
 */
const blockSize = 50;

/** The measurements of the service, or of the bare SQL, for one query. */
interface Measurements {
  /** The milliseconds of each request. */
  readonly times: number[];
  /** The milliseconds of the server's processor for all requests. */
  processorMs: number;
}

/** The measurements of one query at one size. */
interface QueryMeasurements {
  readonly service: Measurements;
  /** Undefined for a query without bare SQL. */
  readonly bare: Measurements | undefined;
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
    const child = fork(
      join(__dirname, 'server.js'),
      [await prepareDataSet(size), JSON.stringify(size)],
      {
        execArgv: process.env['BENCH_PROFILE']
          ? ['--cpu-prof', '--cpu-prof-dir', process.env['BENCH_PROFILE']]
          : [],
      },
    );
    const [{ servicePort, barePort }] = (await once(child, 'message')) as [ServerPorts];
    const clientOf = (port: number): Client => new Client(`http://127.0.0.1:${port}`);
    return new ServerProcess(child, clientOf(servicePort), clientOf(barePort), size);
  }

  async measure(query: BenchmarkQuery): Promise<QueryMeasurements> {
    const queryIndex = benchmarkQueries.indexOf(query);
    const service: Measurements = { times: [], processorMs: 0 };
    const bare: Measurements | undefined = query.sql && { times: [], processorMs: 0 };
    let warmUpMs = 0;
    for (let index = 0; index < warmUpCount && warmUpMs < maxWarmUpMs; index++) {
      warmUpMs += await this.#request(query, index);
      if (bare) await this.#requestBare(query, queryIndex, index);
    }
    // a slow query is not repeated for minutes
    const count = warmUpMs < maxWarmUpMs ? requestCount : Math.min(requestCount, blockSize);
    for (let from = 0; from < count; from += blockSize) {
      const measureBoth = [
        () => this.#measureBlock(service, (index) => this.#request(query, from + index)),
        async () =>
          bare &&
          this.#measureBlock(bare, (index) => this.#requestBare(query, queryIndex, from + index)),
      ];
      // the order alternates, since the second one finds in the cache what the first had to read
      const isEvenBlock = (from / blockSize) % 2 === 0;
      for (const measure of isEvenBlock ? measureBoth : measureBoth.reverse()) await measure();
    }
    return { service, bare };
  }

  async stop(): Promise<void> {
    await Promise.all([this.service.close(), this.bare.close()]);
    const exit = once(this.child, 'exit');
    this.child.send('end');
    await exit;
  }

  /** Sends a block of requests, and adds their times to the measurements. */
  async #measureBlock(
    measurements: Measurements,
    send: (index: number) => Promise<number>,
  ): Promise<void> {
    const before = await this.#processorMs();
    for (let index = 0; index < blockSize; index++) measurements.times.push(await send(index));
    measurements.processorMs += (await this.#processorMs()) - before;
  }

  /** The milliseconds of a request to the service. */
  async #request(query: BenchmarkQuery, index: number): Promise<number> {
    const { method, url, payload, eventual } = query.request(index, this.size);
    return this.#timedRequest(this.service, method, url, payload, eventual);
  }

  /** The milliseconds of a request to the bare SQL. */
  #requestBare(query: BenchmarkQuery, queryIndex: number, index: number): Promise<number> {
    const { method, payload } = query.request(index, this.size);
    return this.#timedRequest(this.bare, method, `/${queryIndex}/${index}`, payload);
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

  /** The processor time of the server process so far, in milliseconds. */
  async #processorMs(): Promise<number> {
    const answer = once(this.child, 'message');
    this.child.send('cpu');
    const [{ user, system }] = (await answer) as [NodeJS.CpuUsage];
    return (user + system) / 1000;
  }
}

/** A quantile of the times, for a share from 0 to 1: 0.99 is the 99th percentile. */
function quantile(times: readonly number[], share: number): number {
  return (
    [...times].sort((a, b) => a - b)[
      Math.min(times.length - 1, Math.floor(times.length * share))
    ] ?? 0
  );
}

/**
 * Measures all queries, or those that an argument selects: `budget` those that may take a multiple
 * of the time of their bare SQL, `others` the rest, any other text those whose name contains it.
 * `load` only creates the data sets.
 */
async function main(part: string | undefined): Promise<void> {
  if (part === 'load') return void (await Promise.all(Object.values(sizes).map(prepareDataSet)));
  const selection = benchmarkQueries.filter(
    ({ name, sql }) =>
      part === undefined || part === (sql ? 'budget' : 'others') || name.includes(part),
  );
  const servers = [
    await ServerProcess.start(sizes.hundredth),
    await ServerProcess.start(sizes.whole),
  ] as const;
  const roundToHundredths = (value: number): number => Math.round(value * 100) / 100;
  const rows: Record<string, Record<string, number | string>> = {};
  for (const query of selection) {
    const [small, whole] = [await servers[0].measure(query), await servers[1].measure(query)];
    const row: Record<string, number | string> = {};
    const ratio = (
      { service, bare }: QueryMeasurements,
      valueOf: (measurements: Measurements) => number,
    ): number | string => (bare ? roundToHundredths(valueOf(service) / valueOf(bare)) : '');
    for (const [size, measured] of Object.entries({ '1/100': small, whole })) {
      row[`${size} p50 ms`] = roundToHundredths(quantile(measured.service.times, 0.5));
      row[`${size} p99 ms`] = roundToHundredths(quantile(measured.service.times, 0.99));
      row[`${size} p50 ratio`] = ratio(measured, ({ times }) => quantile(times, 0.5));
      row[`${size} p99 ratio`] = ratio(measured, ({ times }) => quantile(times, 0.99));
      row[`${size} cpu ratio`] = ratio(measured, ({ processorMs }) => processorMs);
    }
    row['growth p50'] = roundToHundredths(
      quantile(whole.service.times, 0.5) / quantile(small.service.times, 0.5),
    );
    row['growth p99'] = roundToHundredths(
      quantile(whole.service.times, 0.99) / quantile(small.service.times, 0.99),
    );
    rows[query.name] = row;
    process.stdout.write(`${JSON.stringify({ query: query.name, ...row })}\n`);
    if (Number(row['whole p99 ratio']) > 3 || Number(row['1/100 p99 ratio']) > 3)
      process.exitCode = 1;
  }
  for (const server of servers) await server.stop();
  console.table(rows);
}

void main(process.argv[2]);
