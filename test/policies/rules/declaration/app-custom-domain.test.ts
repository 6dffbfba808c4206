import { testRule } from '../support/test-rule.js';
import { app, directory, servedApp } from '../support/stacks.js';

const domain = 'customDomains: { shop.contoso.example: {} }';

const appWithSignIn = (domains: string): string => servedApp(`${domains}\nauth: { ${directory} }`);

testRule('app-custom-domain', {
  finds: [
    ['a domain of an app without ingress', app(domain)],
    ['a domain of an app that its environment alone reaches', app(`ingress: {}\n${domain}`)],
    [
      'a domain in two spellings',
      appWithSignIn('customDomains: { shop.contoso.example: {}, Shop.contoso.example: {} }'),
    ],
    [
      'a binding without a certificate',
      servedApp('customDomains: { shop.contoso.example: { binding: SniEnabled } }'),
    ],
  ],
  passes: [
    ['a domain of an app that is reached from outside', appWithSignIn(domain)],
    [
      'a binding with a certificate that is known later',
      appWithSignIn(
        'customDomains: { shop.contoso.example: { binding: SniEnabled, certificateId: "${env:CERT}" } }',
      ),
    ],
  ],
});
