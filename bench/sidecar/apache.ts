import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  type Testbed,
  waitUntilListening,
  spawnOnCore,
  type Peer,
  proxyCore,
} from './testbed.js';

/**
 * Apache with mod_auth_openidc and its session in a client cookie, which it decrypts on each
 * request.
 */
export async function startModAuthOpenIdc(testbed: Testbed): Promise<Peer> {
  const port = await freePort();
  const { directory } = testbed;
  const file = join(directory, 'apache.conf');
  const modules = '/usr/lib/apache2/modules';
  const moduleNames = [
    'mpm_event',
    'proxy',
    'proxy_http',
    'authn_core',
    'authz_core',
    'authz_user',
    'auth_openidc',
    'headers',
  ].filter((name) => existsSync(`${modules}/mod_${name}.so`));
  writeFileSync(
    file,
    `${moduleNames.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
ServerName localhost\nListen 127.0.0.1:${port}\nPidFile ${directory}/apache.pid\nErrorLog ${directory}/apache.log\nLogLevel crit\nMaxKeepAliveRequests 0\nKeepAliveTimeout 60\nServerRoot ${directory}\nDefaultRuntimeDir ${directory}\n
<IfModule mpm_event_module>\nStartServers 1\nServerLimit 1\nThreadLimit 128\nThreadsPerChild 128\nMaxRequestWorkers 128\nMinSpareThreads 1\nMaxSpareThreads 128\n</IfModule>
OIDCProviderMetadataURL ${testbed.issuer}/.well-known/openid-configuration
OIDCClientID ${testbed.clientId}\nOIDCClientSecret ${testbed.clientSecret}\nOIDCProviderTokenEndpointAuth client_secret_post
OIDCRedirectURI http://127.0.0.1:${port}/back\nOIDCCryptoPassphrase 0123456789abcdef0123456789abcdef\nOIDCSessionType client-cookie\nOIDCSessionInactivityTimeout 3600\nOIDCScope "openid"\nOIDCRemoteUserClaim sub\nOIDCUserInfoRefreshInterval 86400
<Location />\nAuthType openid-connect\nRequire valid-user\nProxyPass http://127.0.0.1:${testbed.originPort}/ keepalive=On disablereuse=Off max=128\n</Location>
`,
  );
  const proxy = spawnOnCore(proxyCore, 'apache2', ['-DFOREGROUND', '-f', file]);
  await waitUntilListening(port);
  return {
    name: 'apache2 + mod_auth_openidc, client cookie',
    url: `http://127.0.0.1:${port}`,
    processes: [proxy],
  };
}
