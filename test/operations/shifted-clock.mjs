/** Imported before a service: its clock is so many minutes off (CLOCK_MINUTES), as of a machine that asks no time server. */
const OFF_MILLISECONDS = Number(process.env.CLOCK_MINUTES) * 60_000;
const { now } = Date;
const { Now } = Temporal;
const { instant } = Now;

globalThis.Date = class extends Date {
  constructor(...parts) {
    if (parts.length === 0) super(now() + OFF_MILLISECONDS);
    else super(...parts);
  }
  static now() {
    return now() + OFF_MILLISECONDS;
  }
};
Now.instant = () => instant().add({ milliseconds: OFF_MILLISECONDS });
Now.zonedDateTimeISO = (zone = 'UTC') => Now.instant().toZonedDateTimeISO(zone);
Now.plainDateISO = (zone) => Now.zonedDateTimeISO(zone).toPlainDate();
Now.plainDateTimeISO = (zone) => Now.zonedDateTimeISO(zone).toPlainDateTime();
