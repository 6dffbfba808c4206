import { candidatePorts } from '../../sandbox/settings.js';
import { sandboxPaths } from '../../sandbox/paths.js';

test('everything is below .castellan of the project', () => {
  const { root, sockets, ...paths } = sandboxPaths('/srv/shop');
  expect([root, sockets]).toEqual(['/srv/shop/.castellan', '/srv/shop/.castellan/run']);
  for (const path of Object.values(paths).filter((each) => each !== '/srv/shop'))
    expect(path.startsWith('/srv/shop/.castellan/')).toBe(true);
});

test('sockets of a long project path are in a short folder, one for each project', () => {
  const [first, second] = ['a', 'b'].map(
    (letter) => sandboxPaths(`/${letter.repeat(120)}`).sockets,
  );
  expect(Buffer.byteLength(`${first ?? ''}/castellan.sock`)).toBeLessThan(100);
  expect(first).not.toBe(second);
});

test('sockets are in /tmp where the folder of temporary files has a long path, too', () => {
  const previous = process.env['TMPDIR'];
  process.env['TMPDIR'] = `/${'t'.repeat(100)}`;
  try {
    expect(sandboxPaths(`/${'a'.repeat(120)}`).sockets).toMatch(/^\/tmp\/castellan-/);
  } finally {
    if (previous === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = previous;
  }
});

test('the ports to try are always the same for a project, distinct, and below those of outgoing connections', () => {
  const ports = candidatePorts('/srv/shop');
  expect(candidatePorts('/srv/shop')).toEqual(ports);
  expect(new Set(ports).size).toBe(ports.length);
  for (const port of ports) expect(port >= 20_000 && port < 32_000).toBe(true);
  expect(candidatePorts('/srv/other')[0]).not.toBe(ports[0]);
});
