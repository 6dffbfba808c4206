import type { FastifyInstance } from 'fastify';
import type { DirectoryGet } from '../../access/directory/read-person.js';

/**
 * A function that reads from the sandbox's own directory by a path below `/v1.0`; its result is
 * undefined for missing objects.
 */
export function directoryReader(app: FastifyInstance, token: () => Promise<string>): DirectoryGet {
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
