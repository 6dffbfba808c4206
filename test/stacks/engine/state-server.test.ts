import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StateServer } from '../../../stacks/engine/state-server.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-state-server-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const state = (serial: number): string =>
  JSON.stringify({ version: 4, serial, lineage: 'one', resources: [] });
let count = 0;
const newPath = (): string => join(folder, String(count++), 'terraform.tfstate');

async function serve(path: string) {
  mkdirSync(dirname(path), { recursive: true });
  const server = await StateServer.open(path);
  const { TF_HTTP_ADDRESS = '', TF_HTTP_USERNAME = '', TF_HTTP_PASSWORD = '' } = server.env;
  const authorization = `Basic ${Buffer.from(`${TF_HTTP_USERNAME}:${TF_HTTP_PASSWORD}`).toString('base64')}`;
  const ask = async (
    method: string,
    body?: string,
    headers: Record<string, string> = { authorization },
  ) => {
    const response = await fetch(TF_HTTP_ADDRESS, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, text: await response.text() };
  };
  return { server, ask };
}

describe('the state of a run in bulk', () => {
  it('is what Terraform saved last, readable by its owner only', async () => {
    const path = newPath();
    const { server, ask } = await serve(path);
    expect(await ask('GET')).toEqual({ status: 204, text: '' });
    expect(await ask('POST', state(1))).toEqual({ status: 200, text: '' });
    expect(await ask('POST', state(2))).toEqual({ status: 200, text: '' });
    expect(await ask('GET')).toEqual({ status: 200, text: state(2) });
    await server.close();
    expect(server.failure).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe(state(2));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['no password', {}],
    [
      'a wrong password',
      { authorization: `Basic ${Buffer.from('castellan:guess').toString('base64')}` },
    ],
  ])('is neither returned nor replaced with %s', async (_case, headers: Record<string, string>) => {
    const path = newPath();
    const { server, ask } = await serve(path);
    await ask('POST', state(1));
    expect(await ask('GET', undefined, headers)).toEqual({ status: 401, text: 'wrong password\n' });
    expect((await ask('POST', state(2), headers)).status).toBe(401);
    await server.close();
    expect(readFileSync(path, 'utf8')).toBe(state(1));
  });

  it('is not replaced by an incomplete state, nor by another method than POST', async () => {
    const path = newPath();
    const { server, ask } = await serve(path);
    await ask('POST', state(1));
    expect((await ask('POST', state(2).slice(0, 20))).status).toBe(400);
    expect((await ask('DELETE')).status).toBe(405);
    await server.close();
    expect(readFileSync(path, 'utf8')).toBe(state(1));
  });

  it('is not replaced if another run has changed it', async () => {
    const path = newPath();
    const { server, ask } = await serve(path);
    await ask('POST', state(1));
    writeFileSync(path, state(7));
    expect(await ask('POST', state(2))).toEqual({
      status: 500,
      text: `another run has written ${path} in the meantime\n`,
    });
    await server.close();
    expect(server.failure?.message).toContain('another run');
    expect(readFileSync(path, 'utf8')).toBe(state(7));
  });

  it('is saved at the end if it could not be saved before', async () => {
    const path = newPath();
    const { server, ask } = await serve(path);
    rmSync(dirname(path), { recursive: true });
    expect((await ask('POST', state(1))).status).toBe(500);
    expect(server.failure?.message).toContain('ENOENT');
    mkdirSync(dirname(path));
    await server.close();
    expect(server.failure).toBeUndefined();
    expect(readFileSync(path, 'utf8')).toBe(state(1));
  });

  it('is served on this machine only', async () => {
    const { server } = await serve(newPath());
    expect(server.env['TF_HTTP_ADDRESS']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/state$/);
    await server.close();
    await expect(fetch(server.env['TF_HTTP_ADDRESS'] ?? '')).rejects.toThrow();
  });
});
