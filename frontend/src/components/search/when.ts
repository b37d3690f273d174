import { words } from "../../i18n";
import { timeOf } from "../../lib/format";
import { date, moment } from "../ui/when";

const isToday = (at: number, now: number) => at >= new Date(now).setHours(0, 0, 0, 0);

/** dayOf is a time of today, or a day, as a list of results shows it. */
export function dayOf(at: number, now: number): string {
  return isToday(at, now) ? timeOf(at) : date(at, now);
}

/** momentOf is the day and the time, as they stand above a result that is looked at. */
export function momentOf(at: number, now: number): string {
  return isToday(at, now) ? words.search.today(timeOf(at)) : moment(at, now);
}
