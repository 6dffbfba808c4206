/** The headers in which the services name a request, the most telling first. */
const headers = ['requestid', 'request-id', 'x-ms-request-id', 'x-svc-request-id', 'x-ms-correlation-request-id'];

/** The request id that an answer carries, for error messages and support. */
export function requestIdOf(answer: Headers): string | undefined {
  for (const name of headers) {
    const id = answer.get(name);
    if (id !== null && id !== '') return id;
  }
  return undefined;
}
