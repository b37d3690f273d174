/** Translated has the keys of T and holds strings in another language. */
export type Translated<T> = T extends string
  ? string
  : T extends (...varies: infer A) => infer R
    ? (...varies: A) => Translated<R>
    : T extends object
      ? { readonly [K in keyof T]: Translated<T[K]> }
      : T;
