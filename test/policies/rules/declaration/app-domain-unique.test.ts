import { testRule } from '../support/test-rule.js';
import { servedApp } from '../support/stacks.js';

const other = (domain: string): string => `  other:
    image: ghcr.io/c/o:1.0.0
    targetPort: 80
    ingress: { external: true }
    customDomains: { ${domain}: {} }
`;
const domain = 'customDomains: { shop.contoso.example: {} }';

testRule('app-domain-unique', {
  finds: [
    ['one domain of two apps', servedApp(domain, other('shop.contoso.example'))],
    ['the same in another letter case', servedApp(domain, other('SHOP.contoso.example'))],
  ],
});
