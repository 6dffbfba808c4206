import { Agent, request as httpRequest } from 'node:http';
import { performance } from 'node:perf_hooks';

/** How many items a workspace gets: as many as it may have. */
const itemsPerWorkspace = 1000;

/**
 * The client in its own process: creates eventstreams over several connections, a thousand per
 * workspace.
 */
async function createEventstreams(port: number, count: number, connections: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const post = (path: string, body: unknown): Promise<{ status: number; text: string }> =>
    new Promise((done, fail) => {
      const text = JSON.stringify(body);
      const headers = {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      };
      const outgoing = httpRequest(
        { port, host: '127.0.0.1', path, method: 'POST', agent, headers },
        (response) => {
          let answer = '';
          response.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
          response.on('end', () => done({ status: response.statusCode ?? 0, text: answer }));
        },
      );
      outgoing.on('error', fail).end(text);
    });
  const workspaces: string[] = [];
  for (let index = 0; index < count / itemsPerWorkspace; index++) {
    const { text } = await post('/v1/workspaces', { displayName: `bench ${index}` });
    workspaces.push((JSON.parse(text) as { id: string }).id);
  }
  const durationsMs: number[] = [];
  let nextIndex = 0;
  const createItems = async (): Promise<void> => {
    for (let index = nextIndex++; index < count; index = nextIndex++) {
      const start = performance.now();
      const { status, text } = await post(
        `/v1/workspaces/${workspaces[Math.floor(index / itemsPerWorkspace)] ?? ''}/eventstreams`,
        {
          displayName: `stream-${index}`,
        },
      );
      if (status !== 201) throw new Error(text);
      durationsMs.push(performance.now() - start);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, createItems));
  const seconds = (performance.now() - start) / 1000;
  durationsMs.sort((a, b) => a - b);
  const quantileText = (share: number): string =>
    (durationsMs[Math.floor(durationsMs.length * share)] ?? NaN).toFixed(1);
  console.log(
    `${count} items over ${connections} connections: ${Math.round(count / seconds)} a second, p50 ${quantileText(0.5)} ms, p99 ${quantileText(0.99)} ms`,
  );
  agent.destroy();
}

const [port, count, connections] = process.argv.slice(2).map(Number);
void createEventstreams(port ?? 0, count ?? 0, connections ?? 0);
