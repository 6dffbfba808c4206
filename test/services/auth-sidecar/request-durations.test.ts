import { Histogram, Registry } from 'prom-client';
import { renderMetrics, Metrics } from '../../../services/auth-sidecar/operations/metrics.js';

const seconds = [0, 0.001, 0.0011, 0.0025, 0.3, 0.5, 2.5, 9.99, 10, 11];

/** The lines of a metric, in order of their text. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.includes('request_duration_seconds'))
    .sort();

test('durations are told as the histogram of prom-client tells them', async () => {
  const metrics = new Metrics();
  const register = new Registry();
  const theirs = new Histogram({
    name: 'castellan_sidecar_request_duration_seconds',
    help: 'Time from request to answer.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [register],
  });
  for (const each of seconds) {
    metrics.request(200, each * 1000);
    theirs.observe((each * 1000) / 1000);
  }
  expect(linesOf(await renderMetrics([await metrics.snapshot()]))).toEqual(
    linesOf(await register.metrics()),
  );
});

test('those of several processes are added up', async () => {
  const [one, other] = [new Metrics(), new Metrics()];
  one.request(200, 2);
  other.request(200, 400);
  other.request(500, 2);
  const text = await renderMetrics([await one.snapshot(), await other.snapshot()]);
  expect(text).toContain('castellan_sidecar_request_duration_seconds_bucket{le="0.0025"} 2\n');
  expect(text).toContain('castellan_sidecar_request_duration_seconds_bucket{le="+Inf"} 3\n');
  expect(text).toContain('castellan_sidecar_request_duration_seconds_count 3\n');
});
