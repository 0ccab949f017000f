/** Figures of one run are compared with each other only: machines differ, and drift. */
import { benchBookingStorm } from './booking-storm.ts';
import { benchBookings } from './bookings.ts';
import { benchEnforcement } from './enforcement.ts';
import { benchScopeEngine } from './scope-engine.ts';

benchScopeEngine();
await benchEnforcement();
const serverUrl = process.env['DATABASE_URL'];
if (serverUrl === undefined) console.log('Bookings: set DATABASE_URL to a PostgreSQL where databases can be created.');
else {
  await benchBookings(serverUrl);
  await benchBookingStorm(serverUrl);
}
