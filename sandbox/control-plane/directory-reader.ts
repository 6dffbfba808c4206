import type { FastifyInstance } from 'fastify';

/** The audiences of the console's tokens. */
export const consoleAudiences = {
  directory: 'https://graph.microsoft.com',
  items: 'https://api.fabric.microsoft.com',
  billing: 'https://management.azure.com',
} as const;

/** Reads from the sandbox's own directory; undefined for missing objects. */
export function askDirectory(
  app: FastifyInstance,
  token: () => Promise<string>,
): <T>(path: string) => Promise<T | undefined> {
  return async <T>(path: string) => {
    const answer = await app.inject({
      url: `/v1.0${path}`,
      headers: { authorization: `Bearer ${await token()}` },
    });
    if (answer.statusCode === 404) return undefined;
    if (answer.statusCode >= 300)
      throw new Error(`the directory answered ${answer.statusCode}: ${answer.body.slice(0, 300)}`);
    return answer.json<T>();
  };
}
