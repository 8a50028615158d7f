/** The part of swagger-ui-dist that the page of the reference uses. It has no types of its own. */
declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Viewer {
    preauthorizeApiKey: (scheme: string, key: string) => void;
  }
  interface Options {
    domNode: HTMLElement;
    spec: object;
    deepLinking: boolean;
    docExpansion: "none" | "list" | "full";
    defaultModelsExpandDepth: number;
    filter: boolean;
    tryItOutEnabled: boolean;
    persistAuthorization: boolean;
    validatorUrl: null;
    plugins: readonly object[];
    onComplete: () => void;
  }
  export default function SwaggerUI(options: Options): Viewer;
}
