// Runs the tests that the example itself ships.
import '../../../examples/patterns/shop.test.js';
