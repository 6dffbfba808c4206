import fc from 'fast-check';
import {
  type AccessFields,
  accessLine,
} from '../../../services/auth-sidecar/operations/access-line.js';

const time = '2026-11-29T00:00:00.000Z';
const start = '"name":"auth-sidecar","worker":2';

/** The line as `JSON.stringify` writes it. */
function serialized(fields: AccessFields): string {
  const { id, method, path, status, client, sender, milliseconds } = fields;
  const ms = Math.round(milliseconds * 10) / 10;
  const object = { id, method, path, status, client, ...sender, ms, msg: 'request' };
  return `${JSON.stringify({ level: 'info', time, name: 'auth-sidecar', worker: 2, ...object })}\n`;
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\u0000', '\ud800'),
);
const sender = fc.record({
  via: fc.constantFrom('cookie' as const, 'header' as const, 'bearer' as const),
  provider: text,
  user: text,
});

test('an access line is what JSON.stringify writes, whatever its texts hold', () => {
  fc.assert(
    fc.property(
      fc.record({
        id: fc.constant('aB_-9'),
        method: text,
        path: text,
        status: fc.integer({ min: 100, max: 599 }),
        milliseconds: fc.double({ min: 0, max: 1e9, noNaN: true }),
        client: fc.option(text, { nil: undefined }),
        sender: fc.option(sender, { nil: undefined }),
      }),
      (fields) => {
        expect(accessLine(start, time, fields)).toBe(serialized(fields));
      },
    ),
    { numRuns: 2000 },
  );
});
