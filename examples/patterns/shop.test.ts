import 'castellan/testing/jest';
import { App } from 'castellan';
import { Shop } from './main.js';

// jest and vitest run these beside your program: they need neither the cloud nor a sandbox

test('the shop breaks no rule', () => {
  expect(new Shop(new App())).toHaveNoFindings();
});

test('the members of the team get into the app', () => {
  const shop = new Shop(new App());
  expect(shop).toHaveGroup({ displayName: 'Shop users' });
  expect(shop).toHaveRegistration({ displayName: 'Shop' });
  expect(shop).toHaveContainerApp({ image: 'ghcr.io/contoso/shop:1.4.2' });
});

test('orders are stored in the space of the team', () => {
  const shop = new Shop(new App());
  expect(shop).toHaveEventstream({ displayName: 'orders' });
  expect(shop).toHaveEventhouse({ displayName: 'orders-store' });
});
