/** Renders the product's name as it is written. */
export function Wordmark() {
  return (
    <span class="wordmark">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect class="wordmark-frame" width="32" height="32" rx="7" />
        <rect class="wordmark-paper" x="7" y="7" width="18" height="18" rx="1.5" />
        <path class="wordmark-frame" d="M9 22l5-7 3.4 4.4 2.2-2.6L23 22z" />
        <circle class="wordmark-sun" cx="19.5" cy="12" r="2" />
      </svg>
      Silverprint
    </span>
  );
}
