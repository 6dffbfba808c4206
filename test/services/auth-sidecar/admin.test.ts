import { startAdmin } from '../../../services/auth-sidecar/operations/admin.js';

test('a request to the admin port that fails is answered with 500, and logged', async () => {
  const fail = () => Promise.reject(new Error('the workers are gone'));
  const error = vi.fn();
  const admin = await startAdmin('127.0.0.1:0', {
    readiness: fail,
    snapshots: fail,
    administerSessions: fail,
    log: { error },
  });
  expect((await fetch(`${admin.url}/metrics?from=1`)).status).toBe(500);
  expect(error).toHaveBeenCalledExactlyOnceWith(
    'a request to the admin port failed',
    expect.objectContaining({ path: '/metrics' }),
  );
  await admin.close();
});
