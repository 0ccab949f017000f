-- The peers' database, of as many users as `bench.users` says. Deterministic: the same rows on every machine.
-- Of a user's 21 event types the last one is for mutations, and beyond the page that is read.
DROP SCHEMA IF EXISTS bench CASCADE;
CREATE SCHEMA bench;
SET search_path = bench;

CREATE TABLE users (
  id         int PRIMARY KEY,
  name       text NOT NULL,
  username   text NOT NULL,
  email      text NOT NULL,
  time_zone  text NOT NULL
);
INSERT INTO users
SELECT i, 'User ' || i, 'user-' || i, 'user' || i || '@example.test', 'Europe/Berlin'
FROM generate_series(1, current_setting('bench.users')::int) i;

CREATE TABLE event_types (
  id          int PRIMARY KEY,
  user_id     int NOT NULL REFERENCES users,
  title       text NOT NULL,
  slug        text NOT NULL,
  description text,
  length      int NOT NULL,
  hidden      boolean NOT NULL,
  position    int NOT NULL,
  created_at  timestamptz NOT NULL
);
INSERT INTO event_types
SELECT (u - 1) * 21 + k, u, 'Event type ' || k, 'event-type-' || k,
       CASE WHEN k % 3 = 0 THEN NULL ELSE 'A meeting of user ' || u || ', kind ' || k END,
       15 * (1 + k % 4), k % 10 = 0, k,
       timestamptz '2026-01-01 00:00:00+00' + (k || ' hours')::interval
FROM generate_series(1, current_setting('bench.users')::int) u, generate_series(1, 21) k;
CREATE INDEX event_types_user ON event_types (user_id, id);

CREATE TABLE bookings (
  id            int PRIMARY KEY,
  uid           uuid NOT NULL,
  user_id       int NOT NULL REFERENCES users,
  event_type_id int NOT NULL REFERENCES event_types,
  title         text NOT NULL,
  status        text NOT NULL,
  start_at      timestamptz NOT NULL,
  end_at        timestamptz NOT NULL
);
-- Booking n of user u; ids of one user are spread over the table, as in a live one.
INSERT INTO bookings
SELECT (n - 1) * current_setting('bench.users')::int + u,
       md5('b' || ((n - 1) * current_setting('bench.users')::int + u))::uuid, u, (u - 1) * 21 + 1 + n % 20,
       'Booking ' || n || ' with user ' || u,
       (ARRAY['ACCEPTED','PENDING','CANCELLED'])[1 + n % 3],
       timestamptz '2026-01-01 09:00:00+00' + (n || ' hours')::interval,
       timestamptz '2026-01-01 09:30:00+00' + (n || ' hours')::interval
FROM generate_series(1, 200) n, generate_series(1, current_setting('bench.users')::int) u;
CREATE INDEX bookings_user_start ON bookings (user_id, start_at, id);
CREATE INDEX bookings_event_type ON bookings (event_type_id);

CREATE TABLE attendees (
  id         int PRIMARY KEY,
  booking_id int NOT NULL REFERENCES bookings,
  name       text NOT NULL,
  email      text NOT NULL,
  time_zone  text NOT NULL
);
-- One or two attendees per booking.
INSERT INTO attendees
SELECT b * 2 + k, b, 'Guest ' || b || '.' || k, 'guest' || b || '.' || k || '@example.test', 'Europe/Paris'
FROM generate_series(1, current_setting('bench.users')::int * 200) b, generate_series(0, 1) k
WHERE k = 0 OR b % 2 = 0;
CREATE INDEX attendees_booking ON attendees (booking_id, id);

-- OAuth
CREATE TABLE oauth_clients (
  client_id     text PRIMARY KEY,
  secret_hash   bytea NOT NULL,
  redirect_uris text[] NOT NULL,
  scopes        text[] NOT NULL,
  status        text NOT NULL
);
INSERT INTO oauth_clients VALUES ('bench-app', sha256('bench-secret'), '{http://127.0.0.1:9/cb}',
  '{PROFILE_READ,EVENT_TYPE_READ,BOOKING_READ}', 'approved');

CREATE TABLE oauth_codes (
  code_hash bytea PRIMARY KEY, client_id text NOT NULL, user_id int NOT NULL, redirect_uri text NOT NULL,
  scope text NOT NULL, challenge text, expires_at timestamptz NOT NULL, used_at timestamptz
);
CREATE TABLE oauth_refresh_tokens (
  token_hash bytea PRIMARY KEY, family uuid NOT NULL, client_id text NOT NULL, user_id int NOT NULL,
  scope text NOT NULL, expires_at timestamptz NOT NULL, used_at timestamptz
);
CREATE INDEX oauth_refresh_family ON oauth_refresh_tokens (family);

