import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { cliPath, root } from '../support/cli.js';

const key = 'key-of-the-run-task';
const plan = (units: number): string =>
  JSON.stringify({
    format_version: '1.2',
    resource_changes: [
      {
        address: 'fabric_eventhouse.clickstore',
        mode: 'managed',
        type: 'fabric_eventhouse',
        name: 'clickstore',
        provider_name: 'registry.terraform.io/microsoft/fabric',
        change: {
          actions: ['create'],
          before: null,
          after: {
            workspace_id: '6f1d2c3b-1111-4222-8333-444455556666',
            display_name: 'clickstore',
            description: '',
            configuration: { minimum_consumption_units: units },
          },
          after_unknown: { id: true },
        },
      },
    ],
  });

interface TaskResult {
  readonly data: {
    readonly attributes: { readonly status: string };
    readonly relationships: {
      readonly outcomes: { readonly data: { readonly attributes: Record<string, unknown> }[] };
    };
  };
}

describe('the run-task endpoint', () => {
  let task: ChildProcess;
  let endpoint: string;
  let delivered: (result: TaskResult) => void = () => undefined;
  /** Terraform's side: gives the plan, takes the result. */
  const terraform = createServer((request, response) => {
    if (request.headers.authorization !== 'Bearer token-of-the-run')
      return void response.writeHead(401).end();
    if (request.method === 'GET')
      return void response.writeHead(200).end(plan(request.url === '/bad' ? 50.5 : 4.25));
    let body = '';
    request.on('data', (text: Buffer) => (body += text.toString()));
    request.on('end', () => {
      response.writeHead(200).end();
      delivered(JSON.parse(body) as TaskResult);
    });
  });

  beforeAll(async () => {
    terraform.listen(0, '127.0.0.1');
    await once(terraform, 'listening');
    task = spawn(process.execPath, [join(root, 'examples/ci/run-task/server.mjs')], {
      env: {
        ...process.env,
        RUN_TASK_HMAC_KEY: key,
        PORT: '0',
        HOST: '127.0.0.1',
        CASTELLAN: `${process.execPath} ${cliPath}`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!task.stdout) throw new Error('no stdout');
    const [line] = (await once(createInterface({ input: task.stdout }), 'line')) as [string];
    endpoint = (JSON.parse(line) as { listening: string }).listening;
  });
  afterAll(() => {
    task.kill();
    terraform.close();
    terraform.closeAllConnections();
  });

  const origin = (): string =>
    `http://127.0.0.1:${String((terraform.address() as AddressInfo).port)}`;
  async function send(path: string, signature?: string): Promise<number> {
    const body = JSON.stringify({
      payload_version: 1,
      access_token: 'token-of-the-run',
      run_id: 'run-1',
      plan_json_api_url: `${origin()}${path}`,
      task_result_callback_url: `${origin()}/result`,
    });
    const response = await fetch(endpoint, {
      method: 'POST',
      body,
      headers: {
        'x-tfc-task-signature': signature ?? createHmac('sha512', key).update(body).digest('hex'),
      },
    });
    return response.status;
  }
  const result = (): Promise<TaskResult> => new Promise((done) => (delivered = done));

  it('fails a plan that breaks a limit, with the finding as an outcome', async () => {
    const answer = result();
    expect(await send('/bad')).toBe(200);
    const { data } = await answer;
    expect(data.attributes.status).toBe('failed');
    expect(
      data.relationships.outcomes.data.map(({ attributes }) => String(attributes['body'])),
    ).toEqual(expect.arrayContaining([expect.stringContaining('fabric_eventhouse.clickstore')]));
  });

  it('passes a plan that keeps the limits', async () => {
    const answer = result();
    expect(await send('/good')).toBe(200);
    expect((await answer).data.attributes.status).toBe('passed');
  });

  it('refuses a request that is not signed with the key', async () => {
    expect(await send('/good', '0'.repeat(128))).toBe(401);
  });

  it('refuses a request that is too long', async () => {
    const response = await fetch(endpoint, { method: 'POST', body: 'x'.repeat(2 ** 20 + 1) });
    expect(response.status).toBe(413);
  });

  it('goes on when a client leaves in the middle of its request', async () => {
    const { hostname, port } = new URL(endpoint);
    const client = connect(Number(port), hostname);
    client.write('POST / HTTP/1.1\r\nHost: run-task\r\nContent-Length: 100\r\n\r\n{');
    await setTimeout(50); // until the request has begun
    client.destroy();
    await once(client, 'close');
    await setTimeout(50);
    expect((await fetch(`${endpoint}/healthz`)).status).toBe(200);
  });
});
