// The suite of the example, as its readers have it: it is what the example promises.
import '../../../examples/patterns/shop.test.js';
