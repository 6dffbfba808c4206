import { createDecipheriv } from 'node:crypto';
import http from 'node:http';

/**
 * The usual auth server behind nginx auth_request: decrypts a cookie and answers with the user's
 * name.
 */
function main(port: number, key: Buffer): void {
  http
    .createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      const sealedSession = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
      const user = sealedSession && decrypt(Buffer.from(sealedSession, 'base64url'), key);
      if (!user) response.writeHead(401).end();
      else response.writeHead(200, { 'x-user': user.sub, 'content-length': 0 }).end();
    })
    .listen(port, '127.0.0.1');
}

/** The bytes of the initialization vector at the beginning of a cookie, and of the tag at its end. */
const [ivBytes, tagBytes] = [12, 16];

/** The claims in a cookie that `sealedCookie` of sign-in.ts made; undefined for a forged one. */
function decrypt(bytes: Buffer, key: Buffer): { readonly sub: string } | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes));
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const encrypted = bytes.subarray(ivBytes, -tagBytes);
  try {
    return JSON.parse(Buffer.concat([decipher.update(encrypted), decipher.final()]).toString()) as {
      sub: string;
    };
  } catch {
    return undefined; // forged
  }
}

main(Number(process.argv[2]), Buffer.from(process.argv[3] ?? '', 'hex'));
