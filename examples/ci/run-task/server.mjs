// A Terraform run-task endpoint: checks each plan with `castellan check --plan` and answers with
// the findings.
//
//   RUN_TASK_HMAC_KEY=… PORT=8080 node server.mjs
//
// CASTELLAN names the command (default: npx castellan); CASTELLAN_PATHS the configurations that
// findings are located in.
import { execFile } from 'node:child_process';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const key = process.env.RUN_TASK_HMAC_KEY;
if (!key) {
  console.error('RUN_TASK_HMAC_KEY is missing: set it to the HMAC key of the run task');
  process.exit(2);
}
const [command, ...commandArguments] = (process.env.CASTELLAN ?? 'npx castellan').split(' ');
const paths = (process.env.CASTELLAN_PATHS ?? '').split(' ').filter(Boolean);
const maxRequestBytes = 1 << 20;

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    // a client that leaves in the middle of its request, for one: no one is there to answer
    console.error(`${request.method} ${request.url}: ${error.message}`);
    response.destroy();
  });
});

async function answer(request, response) {
  if (request.method === 'GET' && request.url === '/healthz') return response.writeHead(200).end();
  if (request.method !== 'POST') return response.writeHead(405, { allow: 'POST' }).end();
  const body = await readBody(request);
  if (body === undefined) return response.writeHead(413).end();
  if (!hasValidSignature(body, request.headers['x-tfc-task-signature']))
    return response.writeHead(401).end('the signature does not match\n');
  let task;
  try {
    task = JSON.parse(body);
  } catch {
    return response.writeHead(400).end('the body is not JSON\n');
  }
  response.writeHead(200).end();
  // Terraform sends a test request when the run task is created: it expects only the status 200
  if (task.access_token === 'test-token') return;
  await reportResult(
    task,
    await checkPlan(task).catch((error) => ({
      status: 'failed',
      message: `the plan could not be checked: ${error.message}`,
      findings: [],
    })),
  );
}

/** The body of a request; undefined if it is too large. */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxRequestBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function hasValidSignature(body, signature) {
  const expected = Buffer.from(createHmac('sha512', key).update(body).digest('hex'));
  const given = Buffer.from(String(signature ?? ''));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Fetches the plan's JSON and checks it. */
async function checkPlan(task) {
  const plan = await fetch(task.plan_json_api_url, {
    headers: { authorization: `Bearer ${task.access_token}` },
    signal: AbortSignal.timeout(60_000),
  });
  if (!plan.ok) throw new Error(`${task.plan_json_api_url} answered ${plan.status}`);
  const folder = await mkdtemp(join(tmpdir(), 'castellan-run-task-'));
  try {
    const file = join(folder, 'plan.json');
    await writeFile(file, Buffer.from(await plan.arrayBuffer()), { mode: 0o600 });
    const { exitCode, stdout, stderr } = await runCastellan([
      ...commandArguments,
      'check',
      '--plan',
      file,
      '--format',
      'json',
      ...paths,
    ]);
    if (exitCode !== 0 && exitCode !== 1)
      throw new Error(stderr.trim() || `castellan ended with ${exitCode}`);
    const { findings } = JSON.parse(stdout);
    const failures = findings.filter(({ verdict }) => verdict === 'fail');
    return {
      status: exitCode === 0 ? 'passed' : 'failed',
      message: `${failures.length} findings`,
      findings: failures,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runCastellan(args) {
  return new Promise((resolve) => {
    execFile(command, args, { maxBuffer: 1 << 28, timeout: 540_000 }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? error.code : 0, stdout, stderr }),
    );
  });
}

/** Reports the result to Terraform, with one outcome a finding. */
async function reportResult(task, { status, message, findings }) {
  const outcomes = findings.map((finding) => ({
    type: 'task-result-outcomes',
    attributes: {
      'outcome-id': finding.ruleId,
      description: finding.message,
      tags: {
        Severity: [
          { label: finding.severity, level: finding.severity === 'error' ? 'error' : 'warning' },
        ],
      },
      body: `${finding.message}\n\n${finding.terraformAddress ?? ''}`,
    },
  }));
  const result = {
    data: {
      type: 'task-results',
      attributes: { status, message },
      relationships: { outcomes: { data: outcomes } },
    },
  };
  const response = await fetch(task.task_result_callback_url, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${task.access_token}`,
      'content-type': 'application/vnd.api+json',
    },
    body: JSON.stringify(result),
    signal: AbortSignal.timeout(60_000),
  }).catch((error) => error);
  if (!response.ok)
    console.error(
      `the result of ${task.run_id} could not be delivered: ${response.status ?? response.message}`,
    );
}

server.listen(Number(process.env.PORT ?? 8080), process.env.HOST ?? '0.0.0.0', () =>
  console.log(JSON.stringify({ listening: `http://127.0.0.1:${server.address().port}` })),
);
