package shop.pictures;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import shop.Supplier;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** Pictures of products, kept in a bucket of S3. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class PicturesApplication {
    @RestController
    static class Page {
        private final S3Client bucket;

        Page(S3Client bucket) {
            this.bucket = bucket;
        }

        @GetMapping("/")
        byte[] picture() {
            return bucket.getObjectAsBytes(object -> object.bucket("pictures").key("kettle.jpg"))
                    .asByteArray();
        }
    }

    @Bean
    S3Client bucket() {
        return S3Client.builder()
                .endpointOverride(Supplier.ADDRESS)
                .forcePathStyle(true)
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(AnonymousCredentialsProvider.create())
                .httpClientBuilder(
                        ApacheHttpClient.builder().maxConnections(Integer.getInteger("pictures.connections", 6)))
                .build();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(PicturesApplication.class, arguments);
    }
}
