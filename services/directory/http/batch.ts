import { badRequest, jsonContentType, type Reply } from './answers.js';

/** One request of a batch. */
export interface BatchedRequest {
  readonly id: string;
  readonly method: string;
  /** Path and query, relative to the version: `/groups?$top=5`. */
  readonly url: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; empty if there is none. */
  readonly bytes: Buffer;
  /** The ids of requests that must have succeeded before. */
  readonly dependsOn: readonly string[];
}

/** The maximum number of requests in one batch. */
const maxBatchRequests = 20;
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/**
 * Parses the body of `POST /$batch`.
 *
 * @param origin the service's own address: `https://host:port`.
 * @throws DirectoryError 400 for more than 20 requests, ids that are missing or given twice,
 *   unknown or circular dependencies.
 */
export function parseBatch(
  body: Readonly<Record<string, unknown>>,
  origin: string,
): readonly BatchedRequest[] {
  const { requests } = body;
  if (!Array.isArray(requests) || requests.length === 0)
    throw badRequest('A batch needs a list of requests.', 'requests');
  if (requests.length > maxBatchRequests)
    throw badRequest(
      `Number of batch request steps exceeds the maximum value of ${maxBatchRequests}.`,
      'requests',
      'MaximumValueExceeded',
    );
  const batchedRequests = requests.map((request) => parseBatchedRequest(request, origin));
  const ids = new Set(batchedRequests.map(({ id }) => id));
  if (ids.size !== batchedRequests.length)
    throw badRequest('The ids of the requests in a batch must differ.', 'requests');
  for (const { id, dependsOn } of batchedRequests)
    for (const dependency of dependsOn)
      if (!ids.has(dependency))
        throw badRequest(
          `The request '${id}' depends on '${dependency}', which is not in the batch.`,
          'dependsOn',
        );
  return sortByDependencies(batchedRequests);
}

function parseBatchedRequest(request: unknown, origin: string): BatchedRequest {
  const { id, method, url, headers, body, dependsOn } = (request ?? {}) as Record<string, unknown>;
  if (typeof id !== 'string' || id === '')
    throw badRequest('Each request of a batch needs an id.', 'id');
  const upperCaseMethod = String(method).toUpperCase();
  if (!methods.includes(upperCaseMethod))
    throw badRequest(`The request '${id}' needs a method: ${methods.join(', ')}.`, 'method');
  if (typeof url !== 'string' || url === '')
    throw badRequest(`The request '${id}' needs a url.`, 'url');
  const dependencies = dependsOn ?? [];
  if (!isStringArray(dependencies))
    throw badRequest(`dependsOn of the request '${id}' must be a list of ids.`, 'dependsOn');
  if (typeof (headers ?? {}) !== 'object')
    throw badRequest(`headers of the request '${id}' must be an object.`, 'headers');
  const headersByName = Object.fromEntries(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  if (body !== undefined && body !== null && headersByName['content-type'] === undefined)
    throw badRequest(
      `The request '${id}' has a body and needs the header Content-Type.`,
      'headers',
    );
  return {
    id,
    method: upperCaseMethod,
    url: withoutVersion(url, origin),
    headers: headersByName,
    bytes: bytesOf(body, headersByName['content-type'] ?? ''),
    dependsOn: dependencies,
  };
}

/**
 * Some clients send full addresses, or include the version (the OData JSON format allows both):
 * only the path after it is used.
 */
function withoutVersion(url: string, origin: string): string {
  const path = url.toLowerCase().startsWith(`${origin.toLowerCase()}/`)
    ? url.slice(origin.length)
    : url;
  return `/${path.replace(/^\/*((v1\.0|beta)\/+)?/i, '')}`;
}

function isStringArray(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/**
 * The bytes of a batched body, by its content type: JSON, text, otherwise decoded base64 (OData JSON
 * format, "Batch Request").
 */
function bytesOf(body: unknown, contentType: string): Buffer {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (isJson(contentType)) return Buffer.from(JSON.stringify(body));
  return Buffer.from(String(body), /^\s*text\//i.test(contentType) ? 'utf8' : 'base64');
}

function isJson(contentType: string): boolean {
  return /^\s*application\/([\w.-]+\+)?json\b/i.test(contentType);
}

/** Sorts requests after those that they depend on, otherwise in the given order. */
function sortByDependencies(requests: readonly BatchedRequest[]): readonly BatchedRequest[] {
  const sorted: BatchedRequest[] = [];
  const sortedIds = new Set<string>();
  while (sorted.length < requests.length) {
    const next = requests.find(
      ({ id, dependsOn }) =>
        !sortedIds.has(id) && dependsOn.every((dependency) => sortedIds.has(dependency)),
    );
    if (!next)
      throw badRequest('The requests of a batch depend on each other in a circle.', 'dependsOn');
    sorted.push(next);
    sortedIds.add(next.id);
  }
  return sorted;
}

/**
 * Answers a batch one request after the other; a request that depends on a failed one is not run
 * and gets 424.
 */
export async function runBatch(
  requests: readonly BatchedRequest[],
  run: (request: BatchedRequest) => Promise<Reply>,
): Promise<Reply> {
  const responses = new Map<string, Readonly<Record<string, unknown>>>();
  const failedIds = new Set<string>();
  for (const request of requests) {
    const failedId = request.dependsOn.find((dependency) => failedIds.has(dependency));
    const reply = failedId === undefined ? await run(request) : failedDependency(failedId);
    if (reply.status >= 400) failedIds.add(request.id);
    responses.set(request.id, responseOf(request.id, reply));
  }
  return { status: 200, body: { responses: [...responses.values()] } };
}

function failedDependency(dependency: string): Reply {
  const message = `The request '${dependency}' that this one depends on has failed.`;
  return { status: 424, body: { error: { code: 'FailedDependency', message } } };
}

function responseOf(id: string, reply: Reply): Readonly<Record<string, unknown>> {
  const { status, body, headers } = reply;
  if (body === undefined) return { id, status, headers: renderHeaders(headers) };
  const contentType =
    reply.contentType ??
    (typeof body === 'string' || Buffer.isBuffer(body) ? 'text/plain' : jsonContentType);
  return {
    id,
    status,
    headers: { ...renderHeaders(headers), 'Content-Type': contentType },
    body: renderBody(body, contentType),
  };
}

function renderBody(body: NonNullable<Reply['body']>, contentType: string): unknown {
  if (Buffer.isBuffer(body)) return body.toString('base64');
  return typeof body === 'string' && isJson(contentType) ? JSON.parse(body) : body;
}

/** Headers in the usual spelling: `Retry-After`. */
function renderHeaders(headers: Reply['headers']): Readonly<Record<string, string>> {
  const entries = Object.entries(headers ?? {}).map(([name, value]) => [
    name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries([
    ['Cache-Control', 'no-cache'],
    ['OData-Version', '4.0'],
    ...entries,
  ]) as Record<string, string>;
}
