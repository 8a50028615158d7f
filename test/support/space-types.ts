/** The models of the space "test", written by `silverprint types`. */
export interface Space {
  collections: {
    authors: {
      values: {
        name: string;
        photo: string | null;
      };
      input: {
        name: string;
        photo?: string | null;
      };
      references: {
        photo: { to: null; many: false };
      };
    };
    posts: {
      values: {
        title: string;
        stars: number | null;
        author: string | null;
        reviewers: string[];
        kind: "news" | "note" | null;
      };
      input: {
        title: string;
        stars?: number | null;
        author?: string | null;
        reviewers?: string[] | null;
        kind?: "news" | "note" | null;
      };
      references: {
        author: { to: "authors"; many: false };
        reviewers: { to: "authors"; many: true };
      };
    };
  };
  pages: {
    home: {
      values: {
        headline: string | null;
      };
      input: {
        headline?: string | null;
      };
      references: object;
    };
  };
}
