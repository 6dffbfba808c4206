import { App, CastellanStack, User } from 'castellan';
import { EventPipeline, SignedInApp, TeamSpace } from 'castellan/patterns';

/** A shop: its app, the space of the team that analyses it, and the pipeline of its orders. */
export class Shop extends CastellanStack {
  constructor(app: App) {
    super(app, 'shop', { azure: { location: 'westeurope' } });
    const owners = ['ada', 'grace'].map((name) =>
      User.fromPrincipalName(this, name, `${name}@contoso.example`),
    );
    const team = new TeamSpace(this, 'analysts', {
      displayName: 'Analysts',
      owners,
      capacityId: '0b9d0c1e-0000-4222-8333-444455556666',
    });
    new EventPipeline(this, 'orders', { workspace: team.workspace, displayName: 'orders' });
    const shop = new SignedInApp(this, 'shop', {
      displayName: 'Shop',
      image: 'ghcr.io/contoso/shop:1.4.2',
      targetPort: 8080,
      owners,
    });
    shop.grantAccess(team.members);
  }
}

if (require.main === module) {
  const app = new App();
  new Shop(app);
  app.synth();
}
