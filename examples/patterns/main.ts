import { App, CastellanStack, User } from 'castellan';
import { EventPipeline, SignedInApp, TeamSpace } from 'castellan/patterns';

const app = new App();
const stack = new CastellanStack(app, 'shop', { azure: { location: 'westeurope' } });
const owners = ['ada', 'grace'].map((name) =>
  User.fromPrincipalName(stack, name, `${name}@contoso.example`),
);

const team = new TeamSpace(stack, 'analysts', {
  displayName: 'Analysts',
  owners,
  capacityId: '0b9d0c1e-0000-4222-8333-444455556666',
});
new EventPipeline(stack, 'orders', { workspace: team.workspace, displayName: 'orders' });
const shop = new SignedInApp(stack, 'shop', {
  displayName: 'Shop',
  image: 'ghcr.io/contoso/shop:1.4.2',
  targetPort: 8080,
  owners,
});
shop.grantAccess(team.members);

app.synth();
