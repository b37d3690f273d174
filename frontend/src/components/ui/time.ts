// Times and durations in lists, short enough for a narrow column.

import { locale, messages } from "../../i18n";

const t = messages.units;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hour12: false });
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const weekday = new Intl.DateTimeFormat(locale, { weekday: "short" });
const dayMonth = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
const dayMonthYear = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });

/** clock formats a running duration: 0:08, 1:12, 1:02:05. */
export function clock(millis: number): string {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  const two = (n: number) => String(n).padStart(2, "0");
  const h = Math.floor(seconds / 3600);
  const m = Math.floor(seconds / 60) % 60;
  return h > 0 ? `${h}:${two(m)}:${two(seconds % 60)}` : `${m}:${two(seconds % 60)}`;
}

/** age formats a past time for lists: how long ago it was if that is recent, otherwise the day. */
export function age(at: number, now: number): string {
  const ago = now - at;
  if (ago < minute) return t.now;
  if (ago < hour) return t.minutes(Math.floor(ago / minute));
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  if (at >= midnight) return t.hours(Math.floor(ago / hour));
  if (at >= midnight - day) return t.yesterday;
  if (at >= midnight - 6 * day) return weekday.format(at);
  return date(at, now);
}

/** date formats a day: 20 Nov, or 20 Nov 2025 if it isn't in the current year. */
export function date(at: number, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dayMonth : dayMonthYear).format(at);
}

/** moment formats a time: the time of day if it is today, otherwise the day and time. */
export function moment(at: number, now: number): string {
  const today = new Date(now).setHours(0, 0, 0, 0);
  return at >= today ? time.format(at) : `${date(at, now)}, ${time.format(at)}`;
}

/** durationText formats a duration: 41 s, 1 min 20 s, 2 h 5 min. */
export function durationText(millis: number): string {
  const seconds = Math.max(0, Math.round(millis / 1000));
  if (seconds < 60) return t.seconds(seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) {
    return seconds % 60 === 0 ? t.minutes(minutes) : t.two(t.minutes(minutes), t.seconds(seconds % 60));
  }
  const hours = t.hours(Math.floor(minutes / 60));
  return minutes % 60 === 0 ? hours : t.two(hours, t.minutes(minutes % 60));
}

/** briefDuration formats durations like stepDuration, but also those from 0.1 s to 1 s: 0.8 s. */
export function briefDuration(millis: number): string {
  return millis >= 100 && millis < 1000 ? t.seconds(tenths.format(millis / 1000)) : stepDuration(millis);
}

/** stepDuration formats the duration of a step: 1.9 s, 41 s, 1 min 20 s. It returns "" for less than one second. */
export function stepDuration(millis: number): string {
  if (millis < 1000) return "";
  return millis < 9_950 ? t.seconds(tenths.format(millis / 1000)) : durationText(millis);
}
