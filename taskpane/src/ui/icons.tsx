/** The pane's icons: strokes on a 20 by 20 grid in the colour of the text. Always beside a word, so hidden from readers. */

const PATHS = {
  check: "M4.5 10.5 8.2 14.2 15.5 6",
  circle_check: "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4ZM6.9 10.3l2.2 2.2 4.1-4.6",
  clock: "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4ZM10 6v4.3l2.8 1.7",
  review:
    "M2.2 10S5 4.9 10 4.9 17.8 10 17.8 10 15 15.1 10 15.1 2.2 10 2.2 10ZM10 7.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6Z",
  undo: "M7.2 3.8 3.4 7.6l3.8 3.8M3.8 7.6h7.6a4.6 4.6 0 0 1 0 9.2H8.6",
  redo: "M12.8 3.8l3.8 3.8-3.8 3.8M16.2 7.6H8.6a4.6 4.6 0 0 0 0 9.2h2.8",
  retry: "M16.4 9a6.6 6.6 0 1 0-1.5 5.3M16.6 4.4V9H12",
  blocked: "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4ZM5 15 15 5",
  warning: "M10 3 2.6 16.4h14.8L10 3ZM10 8v3.8M10 14v.2",
  locate:
    "M10 5.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6ZM10 2.4v2.8M10 14.8v2.8M2.4 10h2.8M14.8 10h2.8",
  attach:
    "M14.9 9.4 9.4 14.9a3.4 3.4 0 0 1-4.8-4.8l6.5-6.5a2.3 2.3 0 0 1 3.2 3.2l-6.4 6.4a1.1 1.1 0 0 1-1.6-1.6l5.5-5.5",
  send: "M3.2 3.6 17 10 3.2 16.4l1.9-6.4-1.9-6.4ZM5.2 10h5.4",
  stop: "M5.4 5.4h9.2v9.2H5.4z",
  close: "M5 5l10 10M15 5 5 15",
  open: "M2.8 15.6V4.6h4.8l1.8 2h7.8v2.2M2.8 15.6l2.4-6.8h13l-2.4 6.8z",
  download: "M10 3.2v9M6.2 8.8 10 12.6l3.8-3.8M3.8 16.4h12.4",
  document: "M5 2.8h6.4L15 6.4v10.8H5zM11.2 3v3.6h3.6M7.6 10h4.8M7.6 13h4.8",
  picture: "M3.2 4.4h13.6v11.2H3.2zM3.4 14l4-4.2 3.2 3.2 2.2-2 4 3.4M12.8 7.4v.2",
  chevron: "M5.4 8 10 12.6 14.6 8",
  plug: "M3 10h3.4M13.6 10H17M6.4 6.6v6.8h3.4V6.6zM13.6 8.2h-3.8M13.6 11.8h-3.8",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Spinner() {
  return <span class="spinner" aria-hidden="true" />;
}
