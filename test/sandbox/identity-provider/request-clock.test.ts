import Fastify from 'fastify';
import { useClockInRequests } from '../../../sandbox/identity-provider/request-clock.js';

const sandboxTime = new Date('2027-01-31T12:00:00Z');

test('Date.now() is the clock in requests of the scope, and the machine elsewhere', async () => {
  const before = Date.now;
  const app = Fastify();
  const answer = async () => {
    await new Promise((done) => setTimeout(done, 1));
    return { now: Date.now() };
  };
  app.register((scope, _options, done) => {
    useClockInRequests(scope, { now: () => sandboxTime });
    scope.post('/inside', answer);
    done();
  });
  app.get('/outside', answer);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  const readTime = async (path: string, init?: RequestInit): Promise<number> => {
    const response = await fetch(origin + path, init);
    return ((await response.json()) as { now: number }).now;
  };
  const body = JSON.stringify({ long: 'x'.repeat(100_000) });
  const headers = { 'content-type': 'application/json' };
  const [inside, outside] = await Promise.all([
    readTime('/inside', { method: 'POST', headers, body }),
    readTime('/outside'),
  ]);
  expect(inside).toBe(sandboxTime.getTime());
  expect(Math.abs(outside - Date.now())).toBeLessThan(60_000);
  await app.close();
  expect(Date.now).toBe(before);
});
