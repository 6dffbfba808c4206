import { readServiceError } from '../../../clients/common/index.js';
import { toDiagnostic } from '../../../provider/server/diagnostic.js';

describe('the diagnostic of a refused request', () => {
  it('names the status, also of a gateway', () => {
    const error = readServiceError(
      { method: 'GET', url: 'https://x/y' },
      new Response(null, { status: 502 }),
      '<html>bad</html>',
    );
    expect(toDiagnostic(error, 'read', 'azuread_group').summary).toBe(
      'retrieving azuread_group: unexpected status 502 (502 Bad Gateway) with error: <html>bad</html>',
    );
  });
});
