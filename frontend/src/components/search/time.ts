import { messages } from "../../i18n";
import { timeOf } from "../../lib/format";
import { date, moment } from "../ui/time";

const isToday = (at: number, now: number) => at >= new Date(now).setHours(0, 0, 0, 0);

/** dayOf formats a time for the list of results: the time of day if it is today, otherwise the date. */
export function dayOf(at: number, now: number): string {
  return isToday(at, now) ? timeOf(at) : date(at, now);
}

/** momentOf formats the date and time shown above a result's preview. */
export function momentOf(at: number, now: number): string {
  return isToday(at, now) ? messages.search.today(timeOf(at)) : moment(at, now);
}
