/** The version of longhaul that made a record; a test holds it equal to package.json's. */
export const longhaulVersion = "0.1.0";
