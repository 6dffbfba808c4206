import {
  handshakeLine,
  mutualTls,
  requireLaunchedByTerraform,
} from '../../../provider/protocol/handshake.js';
import { createSelfSignedCertificate } from '../../../provider/protocol/self-signed-certificate.js';
import { diagnosticMessage } from '../../../provider/protocol/messages.js';

describe('the handshake of a launched provider', () => {
  test('is one line with versions, socket and certificate', () => {
    const { certificate } = mutualTls(createSelfSignedCertificate().pem);
    expect(handshakeLine('/tmp/s', certificate)).toMatch(
      /^1\|6\|unix\|\/tmp\/s\|grpc\|[A-Za-z0-9+/]+\n$/,
    );
  });

  test('is refused when started by hand, or by a terraform with another protocol', () => {
    expect(() => requireLaunchedByTerraform({})).toThrow('Terraform starts it');
    const cookie = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';
    expect(() =>
      requireLaunchedByTerraform({
        TF_PLUGIN_MAGIC_COOKIE: cookie,
        PLUGIN_PROTOCOL_VERSIONS: '4,5',
      }),
    ).toThrow('plugin protocols 4, 5');
    expect(() =>
      requireLaunchedByTerraform({
        TF_PLUGIN_MAGIC_COOKIE: cookie,
        PLUGIN_PROTOCOL_VERSIONS: '5,6',
      }),
    ).not.toThrow();
  });
});

test("secrets in a service's answers are masked in diagnostics", () => {
  const message = diagnosticMessage(
    {
      severity: 'error',
      summary: 'bad value hunter22',
      detail: 'hunter22!',
      path: ['a', 0, { key: 'k' }],
    },
    ['hunter22'],
  );
  expect(message).toEqual({
    severity: 'ERROR',
    summary: 'bad value (sensitive value)',
    detail: '(sensitive value)!',
    attribute: { steps: [{ attributeName: 'a' }, { elementKeyInt: 0 }, { elementKeyString: 'k' }] },
  });
});
