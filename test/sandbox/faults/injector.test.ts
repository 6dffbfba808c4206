import type { FaultKind } from '../../../sandbox/faults/fault.js';
import { FaultInjector } from '../../../sandbox/faults/injector.js';
import {
  callerIdentifiers,
  type FaultRequest,
  matchesFault,
} from '../../../sandbox/faults/request-match.js';
import { rewriteResponse } from '../../../sandbox/faults/response-faults.js';

const request = (overrides: Partial<FaultRequest> = {}): FaultRequest => ({
  service: 'directory',
  method: 'GET',
  path: '/groups/1',
  callers: [],
  ...overrides,
});

test.each([
  ['GET /groups/*', request(), true],
  ['GET /groups/*', request({ path: '/groups/1/members' }), false],
  ['GET /groups/**', request({ path: '/groups/1/members' }), true],
  ['POST /groups/*', request(), false],
  ['* /Groups/1', request({ method: 'PATCH' }), true],
  ['GET /gro.ps/1', request(), false],
])(
  'whether a fault of the operation %s meets the request %j: %s',
  (operation, candidate, expected) => {
    expect(matchesFault({ fault: 'slow', operation }, candidate)).toBe(expected);
  },
);

test('a fault meets a batch itself only for its connection or by its name', () => {
  const batch = request({ method: 'POST', path: '/$batch' });
  expect(matchesFault({ fault: 'throttled' }, batch)).toBe(false);
  expect(matchesFault({ fault: 'throttled', operation: '* /**' }, batch)).toBe(false);
  expect(matchesFault({ fault: 'throttled', operation: 'POST /$batch' }, batch)).toBe(true);
  expect(matchesFault({ fault: 'reset' }, batch)).toBe(true);
});

test('a fault meets only the requests of its service and its caller', () => {
  expect(matchesFault({ fault: 'slow', service: 'items' }, request())).toBe(false);
  const token = Buffer.from(JSON.stringify({ oid: 'ADA', appid: 'app' })).toString('base64url');
  const callers = callerIdentifiers(`Bearer e30.${token}.x`);
  expect(matchesFault({ fault: 'slow', caller: 'Ada' }, request({ callers }))).toBe(true);
  expect(matchesFault({ fault: 'slow', caller: 'grace' }, request({ callers }))).toBe(false);
  expect(callerIdentifiers('Bearer none')).toEqual([]);
});

test('a fault with a share meets the same requests with the same seed, about as many as the share', () => {
  const draw = (seed: number): string => {
    const faults = new FaultInjector({ seed, faults: [{ fault: 'throttled', share: 0.3 }] });
    const kinds: FaultKind[] = ['throttled'];
    return Array.from({ length: 200 }, () =>
      faults.drawFault(kinds, request()) === undefined ? '.' : 'x',
    ).join('');
  };
  expect(draw(1)).toBe(draw(1));
  expect(draw(1)).not.toBe(draw(2));
  expect(draw(1).replaceAll('.', '').length).toBeGreaterThan(40);
  expect(draw(1).replaceAll('.', '').length).toBeLessThan(80);
});

test('a fault strikes at most as often as `times` says, and counts', () => {
  const faults = new FaultInjector({ faults: [{ fault: 'reset', times: 2 }] });
  const struck = [1, 2, 3].map(() => faults.drawFault(['reset'], request()) !== undefined);
  expect(struck).toEqual([true, true, false]);
  expect(faults.status().met).toEqual([2]);
});

test('a new object is missing in lists for a while', () => {
  let now = 0;
  const faults = new FaultInjector({ faults: [{ fault: 'staleList', seconds: 3 }] }, () => now);
  rewriteResponse(faults, request({ method: 'POST', path: '/groups' }), 201, '{"id":"b"}');
  const list = '{"value":[{"id":"a"},{"id":"b"}],"@odata.count":2}';
  const read = (): unknown =>
    JSON.parse(rewriteResponse(faults, request({ path: '/groups' }), 200, list));
  expect(read()).toMatchObject({ value: [{ id: 'a' }] });
  now = 3000;
  expect(read()).toEqual(JSON.parse(list));
});

test('an operation stays Running, or fails', () => {
  const state = '{"status":"Succeeded","percentComplete":100}';
  const operationRequest = request({ service: 'items', path: '/operations/1' });
  const answerWithFault = (fault: FaultKind): unknown =>
    JSON.parse(
      rewriteResponse(new FaultInjector({ faults: [{ fault }] }), operationRequest, 200, state),
    );
  expect(answerWithFault('operationRunning')).toMatchObject({ status: 'Running' });
  expect(answerWithFault('operationFailed')).toMatchObject({
    status: 'Failed',
    error: { errorCode: 'UnknownError' },
  });
  expect(answerWithFault('staleList')).toEqual(JSON.parse(state));
});
