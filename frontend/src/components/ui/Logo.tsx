/** Logo is the app's logo: five hanging bars that form a V, in one color. */
export function Logo(props: { class?: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" class={props.class}>
      <rect x="0.5" y="2.5" width="2" height="4.5" rx="1" />
      <rect x="3.75" y="2.5" width="2" height="8" rx="1" />
      <rect x="7" y="2.5" width="2" height="11.5" rx="1" />
      <rect x="10.25" y="2.5" width="2" height="8" rx="1" />
      <rect x="13.5" y="2.5" width="2" height="4.5" rx="1" />
    </svg>
  );
}
